"""Connects and sends to the ports of this machine it is told. usage: network.py TCP UDP"""
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5).close()
    print("reached")
except OSError:
    print("refused")
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hostile", ("127.0.0.1", int(sys.argv[2])))
    print("sent")
except OSError:
    print("refused")

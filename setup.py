"""This file is how the C core is built; without a compiler, the install goes on with the twin."""

from glob import glob

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "worldline.record._core",
            sources=sorted(glob("src/worldline/record/core/*.c")),
            depends=sorted(glob("src/worldline/record/core/*.h")),
            extra_compile_args=["-std=c11", "-O3", "-fvisibility=hidden", "-Wall", "-Wextra"],
            optional=True,
        )
    ]
)

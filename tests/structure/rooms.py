"""The rooms of the house: which folders they are, which namespace each has and what it may include.

What is not named here is no room. A folder of a room that is not named here itself belongs to it and shares its namespace.
"""

# A room, and the rooms whose headers it may include besides its own. What is not named here is no room.
ROOMS = {
    "engine/base": [],
    "engine/schema": ["engine/base"],
    "kernels": ["engine/base"],
    "engine/program": ["engine/base", "kernels"],
    "engine/cuda_source": ["engine/base", "engine/program", "kernels"],
    "engine/experiment": ["engine/base", "engine/schema", "engine/program", "kernels"],
    "engine/trace": ["engine/base", "engine/schema"],
    "engine/device": ["engine/base", "engine/schema", "engine/program", "engine/trace", "kernels"],
    "engine/device/model": ["engine/base", "engine/schema", "engine/program", "engine/trace", "engine/device", "kernels"],
    "engine/reconstruct": ["engine/base", "engine/program", "engine/trace", "engine/device"],
    "engine/device/cuda": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/reconstruct", "kernels"],
    "engine/device/catalog": ["engine/base", "engine/device", "engine/device/model", "engine/device/cuda"],
    "engine/measure": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/reconstruct"],
    "engine/predict": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/device/catalog",
                       "engine/device/model", "engine/measure"],
    "engine/referee": ["engine/base", "engine/trace", "engine/measure", "engine/device"],
    "engine/calibration": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/device/model",
                           "engine/measure", "engine/predict"],
    "engine/analysis": ["engine/base", "engine/program", "engine/trace"],
    "engine/verdict": ["engine/analysis", "engine/base", "engine/program", "engine/trace", "kernels"],
    "engine/remedy": ["engine/base", "engine/program", "engine/experiment", "engine/trace", "engine/device",
                      "engine/device/catalog", "engine/predict", "engine/verdict", "kernels"],
    "engine/sweep": ["engine/base", "engine/program", "engine/experiment", "engine/trace", "engine/device",
                     "engine/measure", "engine/analysis"],
    "engine/output": ["engine/base", "engine/schema", "engine/trace", "engine/device", "engine/analysis", "engine/sweep",
                      "engine/calibration", "engine/verdict", "engine/remedy"],
    "engine/input": ["engine/base", "engine/schema", "engine/trace"],
    "engine/lesson": ["engine/base", "engine/program", "engine/experiment", "engine/trace", "engine/device",
                      "engine/analysis", "engine/verdict", "engine/remedy", "engine/output", "engine/input"],
    "engine/remote": ["engine/base", "engine/schema", "engine/program", "engine/trace", "engine/device", "engine/device/catalog",
                      "engine/measure", "engine/predict", "engine/referee", "engine/analysis"],
    "app/timeline": ["engine/base", "engine/trace", "engine/analysis", "engine/verdict"],
    "app/reading": ["engine/base", "engine/trace", "engine/analysis", "engine/output", "app/timeline"],
    "app/draw": ["engine/base", "engine/trace", "engine/analysis", "engine/verdict", "engine/sweep", "app/timeline"],
    "app/draw/screen": ["engine/base", "app/timeline"],
    "app/session": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/remote"],
    "app/help": ["engine/base", "engine/schema", "engine/program", "engine/experiment", "engine/trace", "engine/device",
                 "engine/device/model", "engine/analysis", "engine/verdict", "engine/lesson", "kernels"],
    "app/cli": ["engine/base", "engine/program", "engine/cuda_source", "engine/experiment", "engine/trace", "engine/device",
                "engine/device/catalog", "engine/device/model", "engine/measure", "engine/predict", "engine/referee", "engine/sweep",
                "engine/calibration", "engine/analysis", "engine/verdict", "engine/remedy", "engine/output", "engine/input",
                "engine/lesson", "engine/remote", "app/timeline", "app/draw", "app/session", "app/help"],
    "app/window": ["engine/base", "engine/program", "engine/cuda_source", "engine/experiment", "engine/trace", "engine/device",
                   "engine/analysis", "engine/verdict", "engine/remedy", "engine/sweep", "engine/output", "engine/input",
                   "engine/lesson", "engine/predict", "engine/referee", "engine/remote", "app/timeline", "app/reading",
                   "app/draw", "app/draw/screen", "app/session", "app/help", "kernels"],
    "app": ["app/cli", "app/window"],
}
# The namespace of a room, below streamscope. base is the ground that all stand on: its words need no prefix.
NAMESPACES = {room: room.rsplit("/", 1)[-1] for room in ROOMS} | {"engine/base": "", "app": ""}
# These compile anywhere, for WebAssembly one day: no threads, files or system calls, whatever they include.
PORTABLE = ["engine/program", "engine/trace", "engine/analysis", "engine/verdict", "engine/device/model", "app/timeline"]
# Headers of these libraries stay in the rooms that are there for them.
OUTSIDE = {
    r"cuda.*|cupti.*|device_launch.*|cooperative_groups.*": ["kernels", "engine/device/cuda"],
    r"imgui.*|GLFW/.*": ["app/window"],
    r"glad/.*": ["app/draw/screen", "app/window"],
    r"cairo.*|pango/.*": ["app/draw"],
    r"uv\.h": ["app/session"],
    r"sqlite3\.h": ["engine/input"],
    r"CLI/.*": ["app/cli"],
}

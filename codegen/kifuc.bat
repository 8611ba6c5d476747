@echo off
rem Runs kifuc on Windows with the first Python that has what it imports: %KIFU_PYTHON%, the launcher py, or python.
rem Works where it lies in Kifu's sources, and installed as bin\kifuc.bat.
setlocal
set "folder=%~dp0python"
if not exist "%folder%\kifuc" set "folder=%~dp0..\share\kifu\codegen\python"
set "PYTHONPATH=%folder%;%PYTHONPATH%"
set PYTHONUTF8=1
if not defined KIFU_PYTHON for %%p in (py.exe python3.exe python.exe) do (
    if not defined KIFU_PYTHON if not "%%~$PATH:p" == "" (
        "%%~$PATH:p" -c "import jinja2" >nul 2>nul && set "KIFU_PYTHON=%%~$PATH:p"
    )
)
if not defined KIFU_PYTHON (
    echo kifuc: error: no Python ^(3.9 or later^) has the module jinja2: python -m pip install jinja2. KIFU_PYTHON names another Python. 1>&2
    exit /b 1
)
"%KIFU_PYTHON%" -m kifuc %*

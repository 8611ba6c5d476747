// Windows hands a program its words in an old character set, and changes the ends of lines that pass. Here it is made
// to give and take UTF-8 and plain bytes, as other systems do.

#include "tool/command.h"
#include "tool/must.h"

#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// behind windows.h
#include <shellapi.h>

static UINT output_before;

static void restore_output(void)
{
    SetConsoleOutputCP(output_before);
}

static char *narrow(const wchar_t *word, UINT character_set)
{
    const int size = WideCharToMultiByte(character_set, 0, word, -1, NULL, 0, NULL, NULL);
    char *text = (char *)kifu__must_grow(NULL, (size_t)size + 1);
    text[size] = '\0';
    WideCharToMultiByte(character_set, 0, word, -1, text, size, NULL, NULL);
    return text;
}

// A game may have made up its words.
static bool is_command_line(int argc, char **argv, wchar_t **wide)
{
    bool same = true;
    for (int i = 0; i < argc && same; i++) {
        char *word = narrow(wide[i], CP_ACP);
        same = !strcmp(word, argv[i]);
        free(word);
    }
    return same;
}

char **kifu__plain_words(int argc, char **argv)
{
    static bool done;
    if (!done) {
        done = true;
        _setmode(_fileno(stdin), _O_BINARY);
        _setmode(_fileno(stdout), _O_BINARY);
        _setmode(_fileno(stderr), _O_BINARY);
        output_before = GetConsoleOutputCP();
        if (output_before && SetConsoleOutputCP(CP_UTF8))
            atexit(restore_output);
    }
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    if (!wide || count < argc || !is_command_line(argc, argv, wide + count - argc))
        return argv; // `wide` stays until the process ends.
    char **words = (char **)kifu__must_grow(NULL, ((size_t)argc + 1) * sizeof *words);
    for (int i = 0; i < argc; i++)
        words[i] = narrow(wide[count - argc + i], CP_UTF8);
    words[argc] = NULL;
    LocalFree(wide);
    return words;
}

const char *kifu__program_name(char *path)
{
    char *name = path;
    for (char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || *at == ':')
            name = at + 1;
    const size_t length = strlen(name);
    if (length > 4 && !_stricmp(name + length - 4, ".exe"))
        name[length - 4] = '\0';
    return name;
}

#else

char **kifu__plain_words(int argc, char **argv)
{
    (void)argc;
    return argv;
}

const char *kifu__program_name(char *path)
{
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif

// What all commands do with standard output, standard error and folders.

#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#define HAS_TERMINALS 1
#else
#define HAS_TERMINALS 0
#endif

#include "tool/command.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/os.h"

bool kifu__is_terminal(FILE *stream)
{
#if HAS_TERMINALS
    return isatty(fileno(stream));
#else
    (void)stream;
    return false;
#endif
}

uint32_t kifu__width(void)
{
    const char *said = getenv("COLUMNS");
    const long columns = said ? strtol(said, NULL, 10) : 0;
    if (!kifu__is_terminal(stdout))
        return 0;
#if HAS_TERMINALS && defined(TIOCGWINSZ)
    struct winsize size;
    if (!ioctl(fileno(stdout), TIOCGWINSZ, &size) && size.ws_col)
        return size.ws_col;
#endif
    return columns > 0 && columns < 10000 ? (uint32_t)columns : 80;
}

const char *kifu__style(char style)
{
    static const char *const players[] = {"\033[36m", "\033[33m", "\033[35m", "\033[32m"};
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    if (!kifu__is_terminal(stdout) || (none && *none) || !kind || !strcmp(kind, "dumb"))
        return "";
    switch (style) {
    case 'b':
        return "\033[1m";
    case 'd':
        return "\033[2m";
    case 'r':
        return "\033[31m";
    case 'g':
        return "\033[32m";
    case '0':
        return "\033[0m";
    default:
        return players[(style - '1') & 3];
    }
}

// --- Complaints ------------------------------------------------------------------------------------------------------

// A message may have words out of a file: what a terminal would obey is not printed.
void kifu__put_safely(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    while (at < end) {
        const size_t length = kifu__character(at, end);
        if (!length || kifu__is_control(at, length))
            fputc('?', stream);
        else
            fwrite(at, 1, length, stream);
        at += length ? length : 1;
    }
}

int kifu__complain(const kifu__line *line, const char *path, const char *message)
{
    kifu__hide_progress();
    fflush(stdout);
    kifu__put_safely(stderr, line->program);
    fputs(": ", stderr);
    if (path) {
        kifu__put_safely(stderr, strcmp(path, "-") != 0 ? path : "standard input");
        fputs(": ", stderr);
    }
    kifu__put_safely(stderr, message);
    fputc('\n', stderr);
    return KIFU__EXIT_TROUBLE;
}

int kifu__complain_of(const kifu__line *line, const char *path, const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return kifu__complain(line, path, text);
}

bool kifu__is_same_file(const char *a, const char *b)
{
#if defined(__unix__) || defined(__APPLE__)
    struct stat one, other;
    return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
#else
    const uint32_t place = kifu__os_place(a);
    return !strcmp(a, b) || (place && place == kifu__os_place(b));
#endif
}

// --- Standard output -------------------------------------------------------------------------------------------------

kifu_result kifu__write_to_stream(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, (FILE *)context) == size ? KIFU_OK : KIFU_IO;
}

kifu__printer kifu__stdout_printer(bool plain)
{
    kifu__hide_progress();
    return (kifu__printer){.write = kifu__write_to_stream, .context = stdout, .plain = plain};
}

int kifu__end_output(const kifu__line *line, int status)
{
    if (fflush(stdout) || ferror(stdout))
        return kifu__complain(line, NULL,
                              "standard output could not be written: is the disk full, or the reader gone?");
    return status;
}

// --- Folders ---------------------------------------------------------------------------------------------------------

bool kifu__is_save_name(const char *text)
{
    static const char ending[] = ".kifu";
    const size_t length = strlen(text);
    return length >= sizeof ending && !strcmp(text + length - (sizeof ending - 1), ending);
}

static void add_path(kifu__paths *paths, const char *folder, const char *name)
{
    if (paths->count == paths->capacity) {
        paths->capacity = paths->capacity ? 2 * paths->capacity : 16;
        paths->items = (char **)kifu__must_grow(paths->items, paths->capacity * sizeof *paths->items);
    }
    const size_t length = strlen(folder);
    const bool slash = length && folder[length - 1] != '/' && *name;
    char *path = (char *)kifu__must_grow(NULL, length + strlen(name) + 2);
    snprintf(path, length + strlen(name) + 2, "%s%s%s", folder, slash ? "/" : "", name);
    paths->items[paths->count++] = path;
}

typedef struct listing {
    kifu__paths *paths;
    const char *folder;
} listing;

static bool remember(void *context, const char *name)
{
    const listing *listing = context;
    if (*name != '.')
        add_path(listing->paths, listing->folder, name);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// What is no folder is a file; of a folder, what looks like a save, and other folders.
static bool add_folder(const char *folder, kifu__paths *paths)
{
    kifu__paths all = {0};
    listing listing = {.paths = &all, .folder = folder};
    if (kifu__os_list(folder, remember, &listing, NULL)) {
        kifu__free_paths(&all);
        return false;
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_name);
    for (uint32_t i = 0; i < all.count; i++) {
        char room[KIFU__MOST_PATH];
        const bool is_link = kifu__os_follow(all.items[i], room) != all.items[i]; // It may lead back to where it is.
        if ((is_link || !add_folder(all.items[i], paths)) && kifu__is_save_name(all.items[i]))
            add_path(paths, all.items[i], "");
    }
    kifu__free_paths(&all);
    return true;
}

bool kifu__find_saves(const kifu__line *line, const char *path, kifu__paths *paths)
{
    if (strcmp(path, "-") != 0 && add_folder(path, paths))
        return true;
    if (strcmp(path, "-") != 0 && !kifu__os_exists(path)) {
        kifu__complain(line, path, "there is no such file or folder");
        return false;
    }
    add_path(paths, path, "");
    return true;
}

void kifu__free_paths(kifu__paths *paths)
{
    for (uint32_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free((void *)paths->items);
    *paths = (kifu__paths){0};
}

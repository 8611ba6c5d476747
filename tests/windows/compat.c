// See compat.h.

#include <compat.h>
#include <errno.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#undef rename

int timespec_get(struct timespec *now, int base)
{
    enum { TICKS = 10000000 };
    const uint64_t until_1970 = UINT64_C(11644473600) * TICKS;
    FILETIME time;
    GetSystemTimeAsFileTime(&time);
    const uint64_t ticks = ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - until_1970;
    now->tv_sec = (time_t)(ticks / TICKS);
    now->tv_nsec = (long)(ticks % TICKS * 100);
    return base;
}

const char *compat_folder(void)
{
    static char folder[500];
    const char *own = getenv("KIFU_TEST_FOLDER"), *set = own ? own : getenv("TEMP");
    snprintf(folder, sizeof folder, "%s", set ? set : ".");
    for (char *at = folder; *at; at++)
        if (*at == '\\')
            *at = '/';
    return folder;
}

char *mkdtemp(char *name)
{
    enum { MOST_TRIES = 1000, LETTERS = 6 };
    static unsigned number;
    char *end = name + strlen(name) - LETTERS;
    for (int i = 0; i < MOST_TRIES; i++) {
        snprintf(end, LETTERS + 1, "%06x", ((unsigned)_getpid() * 7919u + number++ * 104729u) & 0xffffff);
        if (!_mkdir(name))
            return name;
    }
    return NULL;
}

int compat_rename(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    if (GetFileAttributesA(from) != INVALID_FILE_ATTRIBUTES && !unlink(to) && MoveFileExA(from, to, 0))
        return 0; // It was open, which Windows 10 allows.
    errno = EACCES;
    return -1;
}

// The name is free at once, as on Windows 10; on earlier ones, and in wine, it is when nobody has the file open.
int unlink(const char *path)
{
    static unsigned number;
    char aside[600];
    snprintf(aside, sizeof aside, "%s/kifu-removed-%d-%u", compat_folder(), _getpid(), number++);
    return MoveFileExA(path, aside, 0) ? _unlink(aside) : _unlink(path);
}

int remove(const char *path)
{
    return unlink(path);
}

int fcntl(int file, int what)
{
    DWORD handles = 0;
    (void)what;
    GetProcessHandleCount(GetCurrentProcess(), &handles);
    return file < (int)handles ? 0 : -1;
}

static DWORD protection_of(int protection)
{
    return protection == PROT_NONE ? PAGE_NOACCESS : protection & PROT_WRITE ? PAGE_READWRITE : PAGE_READONLY;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    (void)address, (void)flags, (void)file, (void)offset;
    void *room = VirtualAlloc(NULL, size, MEM_COMMIT | MEM_RESERVE, protection_of(protection));
    return room ? room : MAP_FAILED;
}

int munmap(void *address, size_t size)
{
    (void)size;
    return VirtualFree(address, 0, MEM_RELEASE) ? 0 : -1;
}

int mprotect(void *address, size_t size, int protection)
{
    DWORD old;
    return VirtualProtect(address, size, protection_of(protection), &old) ? 0 : -1;
}

long sysconf(int what)
{
    (void)what;
    return 4096;
}

int symlink(const char *to, const char *path)
{
    (void)to, (void)path;
    errno = ENOTSUP;
    return -1;
}

int mkfifo(const char *path, mode_t mode)
{
    (void)path, (void)mode;
    errno = ENOTSUP;
    return -1;
}

int chown(const char *path, unsigned user, unsigned group)
{
    (void)path, (void)user, (void)group;
    errno = ENOTSUP;
    return -1;
}

int setuid(unsigned user)
{
    (void)user;
    return -1;
}

int setgid(unsigned group)
{
    (void)group;
    return -1;
}

// --- Errors ----------------------------------------------------------------------------------------------------------

static const struct {
    int number;
    unsigned long code;
} errors[] = {
    {ENOENT, ERROR_FILE_NOT_FOUND},      {ENOENT, ERROR_PATH_NOT_FOUND},
    {EEXIST, ERROR_FILE_EXISTS},         {EEXIST, ERROR_ALREADY_EXISTS},
    {ENOSPC, ERROR_DISK_FULL},           {EIO, ERROR_IO_DEVICE},
    {EACCES, ERROR_ACCESS_DENIED},       {EBUSY, ERROR_SHARING_VIOLATION},
    {EPERM, ERROR_ACCESS_DENIED},        {EROFS, ERROR_WRITE_PROTECT},
    {EINVAL, ERROR_INVALID_PARAMETER},   {ENOTSUP, ERROR_NOT_SUPPORTED},
    {EMFILE, ERROR_TOO_MANY_OPEN_FILES}, {ENAMETOOLONG, ERROR_FILENAME_EXCED_RANGE},
};

unsigned long compat_code(int number)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == number)
            return errors[i].code;
    return ERROR_GEN_FAILURE;
}

int compat_errno(unsigned long code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return errors[i].number;
    return EACCES;
}

const char *compat_strerror(int number)
{
    static char text[200];
    DWORD length = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, compat_code(number),
                                  0, text, sizeof text, NULL);
    while (length && (text[length - 1] <= ' ' || text[length - 1] == '.'))
        length--;
    text[length] = '\0';
    return text;
}

// --- Processes -------------------------------------------------------------------------------------------------------

#undef _exit

// What the linker calls the variables of the program.
extern unsigned char __data_start__[], __data_end__[], __bss_start__[], __bss_end__[];

void *compat_remember(void)
{
    const size_t data = (size_t)(__data_end__ - __data_start__), bss = (size_t)(__bss_end__ - __bss_start__);
    unsigned char *copy = malloc(data + bss);
    if (!copy)
        abort();
    memcpy(copy, __data_start__, data);
    memcpy(copy + data, __bss_start__, bss);
    return copy;
}

void compat_restore(void *copy)
{
    const size_t data = (size_t)(__data_end__ - __data_start__), bss = (size_t)(__bss_end__ - __bss_start__);
    memcpy(__data_start__, copy, data);
    memcpy(__bss_start__, (unsigned char *)copy + data, bss);
}

jmp_buf compat_parent;
pid_t compat_child;
void (*compat_end_child)(void);
static void *of_parent; // What its variables were; NULL in the parent.
static int child_status;

bool compat_in_child(void)
{
    return of_parent;
}

void compat_begin_child(void)
{
    compat_child++;
    void *copy = compat_remember();
    of_parent = copy;
}

_Noreturn void compat_exit(int status)
{
    if (!of_parent)
        _exit(status);
    if (compat_end_child)
        compat_end_child();
    void *copy = of_parent;
    compat_restore(copy);
    free(copy);
    child_status = status;
    longjmp(compat_parent, 1);
}

pid_t waitpid(pid_t process, int *status, int options)
{
    (void)options;
    *status = child_status;
    return process;
}

int pause(void)
{
    compat_exit(-SIGKILL);
}

int kill(pid_t process, int signal)
{
    return process == compat_child && child_status == -signal ? 0 : -1;
}

int pipe(int ends[2])
{
    return _pipe(ends, 1 << 16, _O_BINARY);
}

int flock(int file, int operation)
{
    (void)file, (void)operation;
    errno = ENOTSUP;
    return -1;
}

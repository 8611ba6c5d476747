/// What the suite and the benchmark of kifu/nats.h share: a server of their own, and processes that are killed.
#ifndef NATS_HELP_H
#define NATS_HELP_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct nats_server {
    pid_t process;
    int port;
    char folder[200];
} nats_server;

static inline void fail_here(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

static inline void rest(unsigned ms)
{
    nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}

/// Starts a program, which ends with this process. `output` (may be NULL) reads what it prints.
static inline pid_t start_program(char *const *words, FILE **output)
{
    int ends[2] = {-1, -1};
    if (output && pipe(ends))
        fail_here("no pipe");
    const pid_t process = fork();
    if (!process) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (output) {
            dup2(ends[1], 1);
            close(ends[0]);
            close(ends[1]);
        }
        execv(words[0], words);
        _exit(127);
    }
    if (output) {
        close(ends[1]);
        *output = fdopen(ends[0], "r");
    }
    return process;
}

static inline void kill_program(pid_t process)
{
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}

static inline int connect_to_port(int port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (const struct sockaddr *)&address, sizeof address) == 0)
        return connection;
    close(connection);
    return -1;
}

static inline int find_free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(probe, (struct sockaddr *)&address, size) || getsockname(probe, (struct sockaddr *)&address, &size))
        fail_here("no free port");
    close(probe);
    return ntohs(address.sin_port);
}

/// Starts it, or starts it again with what it had stored.
static inline void run_server(nats_server *server)
{
    char path[300];
    snprintf(path, sizeof path, "%s/server.conf", server->folder);
    char *words[] = {NATS_SERVER, "-c", path, "-l", "/dev/null", NULL};
    server->process = start_program(words, NULL);
    for (int i = 0; i < 500; i++) {
        const int connection = connect_to_port(server->port);
        if (connection >= 0) {
            close(connection);
            return;
        }
        rest(10);
    }
    fail_here("nats-server does not start");
}

/// With the configuration of runtime/docs/network.md.
static inline void start_server(nats_server *server)
{
    char path[600], *page = malloc(1 << 16);
    const char *set = getenv("TMPDIR"), *sources = getenv("KIFU_SOURCE_DIR");
    snprintf(server->folder, sizeof server->folder, "%s/kifu-nats-XXXXXX", set && *set ? set : "/tmp");
    if (!mkdtemp(server->folder))
        fail_here("no folder");
    snprintf(path, sizeof path, "%s/runtime/docs/network.md", sources ? sources : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        fail_here(path);
    page[fread(page, 1, (1 << 16) - 1, file)] = '\0';
    fclose(file);
    char *begin = strstr(page, "```conf\n"), *end = begin ? strstr(begin, "\n```\n") : NULL;
    if (!end)
        fail_here("no configuration in network.md");
    *end = '\0';
    server->port = find_free_port();
    snprintf(path, sizeof path, "%s/server.conf", server->folder);
    file = fopen(path, "w");
    for (char *line = strtok(begin + 8, "\n"); line; line = strtok(NULL, "\n")) {
        if (!strncmp(line, "listen:", 7))
            fprintf(file, "listen: \"127.0.0.1:%d\"\n", server->port);
        else if (strstr(line, "store_dir:"))
            fprintf(file, "store_dir: \"%s/store\"\n", server->folder);
        else
            fprintf(file, "%s\n", line);
    }
    fprintf(file, "max_pending: 2000000\n"); // Who does not read is cut off soon.
    fclose(file);
    free(page);
    run_server(server);
}

static inline void end_server(nats_server *server)
{
    char command[300];
    kill_program(server->process);
    snprintf(command, sizeof command, "rm -r '%s'", server->folder);
    if (system(command))
        fail_here(command);
}

static inline const char *url_of(const nats_server *server, const char *user, char url[100])
{
    snprintf(url, 100, "nats://%s:%s-password@127.0.0.1:%d", user, user, server->port);
    return url;
}

#endif

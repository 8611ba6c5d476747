// A referee is a process of its own, which is killed.

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "referee_help.h"
#include "suite.h"

enum { KILLS = 20, MOST_MESSAGE = 100000 };

typedef struct process {
    pid_t id;
    int way; ///< Messages, each with its peer in front.
} process;

static uint64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static bool send_over(int way, uint64_t peer, const void *bytes, size_t size)
{
    static unsigned char message[MOST_MESSAGE];
    memcpy(message, &peer, 8);
    memcpy(message + 8, bytes, size);
    return send(way, message, size + 8, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size + 8;
}

static bool send_from_child(void *context, uint64_t peer, const void *bytes, size_t size)
{
    return send_over(*(int *)context, peer, bytes, size);
}

static void be_referee(const char *folder, int way)
{
    static unsigned char message[MOST_MESSAGE];
    const kifu_referee_options options = {
        .folder = folder, .begin = begin_nim, .send = send_from_child, .context = &way, .requests_per_second = 10000};
    kifu_referee *referee;
    if (kifu_referee_create(&nim_rules, &options, &referee, NULL))
        _exit(3);
    for (;;) {
        struct pollfd polled = {.fd = way, .events = POLLIN};
        poll(&polled, 1, 100);
        const ssize_t size = recv(way, message, sizeof message, MSG_DONTWAIT);
        uint64_t peer;
        memcpy(&peer, message, 8);
        if (size >= 8)
            kifu_referee_receive(referee, peer, message + 8, (size_t)size - 8, now_ms());
        else if (!size)
            _exit(0);
        kifu_referee_tick(referee, now_ms());
    }
}

static process start(const char *folder)
{
    int ways[2];
    must_be(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ways));
    const pid_t id = fork();
    if (!id) {
        close(ways[0]);
        be_referee(folder, ways[1]);
    }
    close(ways[1]);
    return (process){id, ways[0]};
}

static void kill_process(process *process)
{
    int status;
    kill(process->id, SIGKILL);
    waitpid(process->id, &status, 0);
    must_be(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL); // it had not ended by itself
    close(process->way);
}

static process running;

static bool send_to_process(void *context, const void *bytes, size_t size)
{
    return send_over(running.way, ((guest *)context)->address, bytes, size);
}

static void hear_process(world *world)
{
    static unsigned char message[MOST_MESSAGE];
    ssize_t size;
    while ((size = recv(running.way, message, sizeof message, MSG_DONTWAIT)) >= 8) {
        uint64_t peer;
        memcpy(&peer, message, 8);
        kifu_client_receive(world->guests[peer - 1].client, message + 8, (size_t)size - 8, now_ms());
    }
}

static bool are_over(world *world)
{
    bool over = true;
    for (uint32_t i = 0; i < world->guest_count; i++)
        over = over && is_over(kifu_client_timeline(world->guests[i].client)) &&
               !kifu_client_waits(world->guests[i].client);
    return over;
}

START_TEST(W07_what_a_killed_process_has_answered_is_there_and_there_once)
{
    char folder[200];
    make_folder(folder);
    world world = {.options.folder = folder, .repeat_ms = 20};
    create_world(&world, &(kifu_loopback_faults){.seed = fuzz_seed()});
    for (uint32_t i = 0; i < 12; i++) {
        char name[20];
        kifu_token tokens[3];
        snprintf(name, sizeof name, "table-%u", i);
        open_game(&world, name, 3, tokens);
        for (uint32_t j = 0; j < 3; j++)
            add_guest_by(&world, name, tokens[j].text, send_to_process);
    }
    kifu_referee_destroy(world.referee);
    uint32_t kills = 0;
    running = start(folder);
    uint64_t next_kill = now_ms() + kifu_rng_below(&world.rng, 100);
    for (const uint64_t end = now_ms() + 120000; !are_over(&world) || kills < KILLS;) {
        must_be(now_ms() < end);
        for (uint32_t i = 0; i < world.guest_count; i++) {
            world.now = now_ms();
            if (!kifu_rng_below(&world.rng, 30) || kills >= KILLS)
                play_at_random(&world.guests[i]);
            kifu_client_tick(world.guests[i].client, world.now);
        }
        hear_process(&world);
        if (kills < KILLS && now_ms() >= next_kill) {
            kill_process(&running);
            kills++;
            running = start(folder);
            next_kill = now_ms() + kifu_rng_below(&world.rng, 100);
        }
        usleep(500);
    }
    kill_process(&running);
    world.now = now_ms();
    start_referee(&world);
    for (uint32_t i = 0; i < world.guest_count; i++) {
        guest *guest = &world.guests[i];
        expect_same_state(&world, guest->game, guest);
        ck_assert_uint_eq(count_moves(game_of(&world, guest->game), kifu_client_seat(guest->client)), guest->done);
    }
    destroy_world(&world);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {W07_what_a_killed_process_has_answered_is_there_and_there_once};
    return run_suite("referee_kills", tests, sizeof tests / sizeof *tests);
}

// A referee whose games are in a store: what happened is shown when it is stored, however long that takes; what was not
// stored has not happened.

#include "referee_help.h"
#include "suite.h"

enum { TABLES = 4 };

typedef struct file {
    char name[41];
    unsigned char *bytes;
    size_t size;
    uint32_t version; ///< Grows with each append: whoever knows another one is refused.
} file;

/// A game that the referee has in memory.
typedef struct opened {
    struct vault *vault;
    char name[41], path[600];
    uint32_t version;
    unsigned char *bytes; ///< On their way; NULL: nothing is.
    size_t size;
    uint64_t due;
    kifu_result result; ///< Of that.
    bool unsure;        ///< It is stored, but the referee is told otherwise.
} opened;

typedef struct vault {
    world *world;
    file files[8];
    opened *games[8];
    uint32_t refused;       ///< So many of a thousand appends are.
    uint32_t late_ms;       ///< Each takes up to so long.
    uint32_t appends, lost; ///< So many there were, and so many the referee was told are lost.
} vault;

static file *find_file(vault *vault, const char *name)
{
    for (unsigned i = 0; i < 8; i++) {
        if (!strcmp(vault->files[i].name, name))
            return &vault->files[i];
    }
    return NULL;
}

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    must_be(stream != NULL);
    unsigned char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, stream);
    fclose(stream);
    return bytes;
}

static void *open_file(vault *vault, const char *name, const char *path, uint32_t version)
{
    unsigned i = 0;
    while (vault->games[i])
        i++;
    opened *opened = calloc(1, sizeof *opened);
    opened->vault = vault;
    snprintf(opened->name, sizeof opened->name, "%s", name);
    snprintf(opened->path, sizeof opened->path, "%s", path);
    opened->version = version;
    vault->games[i] = opened;
    return opened;
}

static kifu_result fetch(void *context, const char *name, const char *path, void **game, kifu_error *error)
{
    const file *file = find_file(context, name);
    if (!file) {
        if (error)
            snprintf(error->message, sizeof error->message, "there is no such game");
        return KIFU_NOT_FOUND;
    }
    FILE *stream = fopen(path, "wb");
    must_be(stream && fwrite(file->bytes, 1, file->size, stream) == file->size && !fclose(stream));
    *game = open_file(context, name, path, file->version);
    return KIFU_OK;
}

static kifu_result create(void *context, const char *name, const char *path, void **game, kifu_error *error)
{
    vault *vault = context;
    (void)error;
    if (find_file(vault, name))
        return KIFU_IN_USE;
    file *file = find_file(vault, "");
    snprintf(file->name, sizeof file->name, "%s", name);
    file->bytes = read_bytes(path, &file->size);
    *game = open_file(vault, name, path, file->version);
    return KIFU_OK;
}

static kifu_result append(void *context, void *game)
{
    vault *vault = context;
    opened *opened = game;
    kifu_rng *rng = &vault->world->rng;
    ck_assert_ptr_null(opened->bytes); // one at a time
    vault->appends++;
    if (kifu_rng_below(rng, 1000) < vault->refused / 4)
        return KIFU_IO;
    opened->bytes = read_bytes(opened->path, &opened->size);
    opened->due = vault->world->now + kifu_rng_below(rng, vault->late_ms + 1);
    opened->result = kifu_rng_below(rng, 1000) < vault->refused ? KIFU_CHANGED : KIFU_OK;
    opened->unsure = kifu_rng_below(rng, 2) != 0;
    return KIFU_OK;
}

static void forget(void *context, void *game)
{
    vault *vault = context;
    for (unsigned i = 0; i < 8; i++) {
        if (vault->games[i] == game)
            vault->games[i] = NULL;
    }
    free(((opened *)game)->bytes);
    free(game);
}

/// Ends what is due.
static void deliver(vault *vault)
{
    for (unsigned i = 0; i < 8; i++) {
        opened *opened = vault->games[i];
        if (!opened || !opened->bytes || opened->due > vault->world->now)
            continue;
        file *file = find_file(vault, opened->name);
        const kifu_result result = opened->version == file->version ? opened->result : KIFU_CHANGED;
        unsigned char *bytes = opened->bytes;
        char name[41];
        memcpy(name, opened->name, sizeof name);
        opened->bytes = NULL;
        if (opened->version == file->version && (!result || opened->unsure)) {
            free(file->bytes);
            file->bytes = bytes;
            file->size = opened->size;
            file->version = ++opened->version;
        } else {
            free(bytes);
        }
        vault->lost += result != KIFU_OK;
        kifu_referee_stored(vault->world->referee, name, result, vault->world->now);
    }
}

static void begin(world *world, vault *vault, const char *folder, const kifu_loopback_faults *faults, kifu_store *store)
{
    *store = (kifu_store){.fetch = fetch, .create = create, .append = append, .forget = forget, .context = vault};
    vault->world = world;
    world->options.folder = folder;
    world->options.store = store;
    create_world(world, faults);
}

static void end(world *world, vault *vault, const char *folder)
{
    destroy_world(world);
    for (unsigned i = 0; i < 8; i++) {
        ck_assert_ptr_null(vault->games[i]);
        free(vault->files[i].bytes);
    }
    remove_folder(folder);
}

static bool are_over(world *world)
{
    bool over = true;
    for (uint32_t i = 0; i < world->guest_count; i++)
        over = over && is_over(kifu_client_timeline(world->guests[i].client));
    return over;
}

START_TEST(W07_games_in_a_store_come_to_their_end_though_it_is_late_and_refuses)
{
    for (uint32_t seed = 1; seed <= fuzz_steps(12); seed++) {
        char folder[200], name[20];
        kifu_token tokens[4];
        kifu_store store;
        world world = {.options.idle_ms = 20000};
        vault vault = {.refused = seed * 61 % 200, .late_ms = seed * 41 % 300};
        const kifu_loopback_faults faults = {
            .seed = seed + fuzz_seed(), .lost = seed * 37 % 200, .late_ms = seed * 71 % 200};
        make_folder(folder);
        begin(&world, &vault, folder, &faults, &store);
        for (uint32_t i = 0; i < TABLES; i++) {
            snprintf(name, sizeof name, "table-%u", i);
            open_game(&world, name, 2 + i % 3, tokens);
            for (uint32_t j = 0; j < 2 + i % 3; j++)
                add_guest(&world, name, tokens[j].text);
        }
        for (int i = 0; i < 200000 && !are_over(&world); i++) {
            play_at_random(&world.guests[kifu_rng_below(&world.rng, world.guest_count)]);
            if (!kifu_rng_below(&world.rng, 500))
                restart_referee(&world);
            pass_time(&world, world.now + 20);
            deliver(&vault);
        }
        for (const uint64_t until = world.now + 60000; world.now < until;) {
            pass_time(&world, world.now + 20);
            deliver(&vault);
        }
        must_be(are_over(&world) && vault.appends > vault.lost);
        for (uint32_t i = 0; i < world.guest_count; i++) {
            guest *guest = &world.guests[i];
            expect_same_state(&world, guest->game, guest);
            ck_assert_uint_eq(count_moves(game_of(&world, guest->game), kifu_client_seat(guest->client)), guest->done);
        }
        end(&world, &vault, folder);
    }
}
END_TEST

START_TEST(W07_what_is_not_stored_yet_is_neither_answered_nor_shown)
{
    char folder[200];
    kifu_token tokens[2];
    kifu_store store;
    world world = {0};
    vault vault = {.late_ms = 1};
    make_folder(folder);
    begin(&world, &vault, folder, &(kifu_loopback_faults){.seed = 2}, &store);
    open_game(&world, "one", 2, tokens);
    guest *guests[2] = {add_guest(&world, "one", tokens[0].text), add_guest(&world, "one", tokens[1].text)};
    pass_all_until(&world, world.now + 100);
    const int player = kifu_current_player(kifu_get_game(game_of(&world, "one")));
    const uint32_t before = kifu_event_count(kifu_client_timeline(guests[0]->client));
    take_stones(guests[player], 3, 1);
    pass_all_until(&world, world.now + 3000); // The request is repeated meanwhile, and waits.
    ck_assert_uint_eq(guests[player]->done, 0);
    guest *late = add_guest(&world, "one", NULL); // Who joins meanwhile is not shown it either.
    pass_all_until(&world, world.now + 3000);
    ck_assert_uint_eq(kifu_event_count(kifu_client_timeline(late->client)), 0);
    ck_assert_uint_eq(kifu_event_count(kifu_client_timeline(guests[!player]->client)), before);
    deliver(&vault);
    pass_all_until(&world, world.now + 3000);
    ck_assert_uint_eq(guests[player]->done, 1);
    ck_assert_uint_eq(vault.appends, 1);
    for (int i = 0; i < 2; i++)
        expect_same_state(&world, "one", guests[i]);
    expect_same_state(&world, "one", late);
    end(&world, &vault, folder);
}
END_TEST

START_TEST(W07_a_store_needs_a_folder)
{
    const kifu_store store = {.fetch = fetch, .create = create, .append = append, .forget = forget};
    const kifu_referee_options options = {.begin = begin_nim, .send = send_to_peer, .store = &store};
    kifu_referee *referee;
    kifu_error error;
    ck_assert_int_eq(kifu_referee_create(&nim_rules, &options, &referee, &error), KIFU_MISUSE);
    ck_assert_str_eq(error.message, "a referee with a store needs a folder for copies of games");
}
END_TEST

static kifu_result resign(void *context, kifu_timeline *timeline, uint32_t seat)
{
    (void)context;
    nim_submit_p_resign(timeline, (int)seat);
    return kifu_run(timeline);
}

START_TEST(W07_a_clock_does_not_fall_while_a_move_is_being_stored)
{
    char folder[200];
    kifu_token tokens[2];
    kifu_store store;
    kifu_error error;
    world world = {.options.fallen = resign};
    vault vault = {.late_ms = 1};
    make_folder(folder);
    begin(&world, &vault, folder, &(kifu_loopback_faults){.seed = 2}, &store);
    const kifu_table table = {.seats = 2, .main_ms = 2000};
    must_be(!kifu_referee_open(world.referee, "one", &table, tokens, world.now, &error));
    guest *guests[2] = {add_guest(&world, "one", tokens[0].text), add_guest(&world, "one", tokens[1].text)};
    pass_all_until(&world, world.now + 100);
    const int player = kifu_current_player(kifu_get_game(game_of(&world, "one")));
    take_stones(guests[player], 3, 1);
    pass_all_until(&world, world.now + 5000);
    must_be(!is_over(game_of(&world, "one")));
    ck_assert_uint_eq(vault.appends, 1);
    deliver(&vault);
    pass_all_until(&world, world.now + 100);
    ck_assert_uint_eq(guests[player]->done, 1);
    ck_assert_uint_eq(vault.appends, 2); // Now it falls,
    must_be(!is_over(kifu_client_timeline(guests[0]->client)));
    deliver(&vault);
    pass_all_until(&world, world.now + 1000);
    must_be(is_over(kifu_client_timeline(guests[0]->client))); // and is shown when that is stored.
    end(&world, &vault, folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W07_games_in_a_store_come_to_their_end_though_it_is_late_and_refuses,
        W07_what_is_not_stored_yet_is_neither_answered_nor_shown,
        W07_a_clock_does_not_fall_while_a_move_is_being_stored,
        W07_a_store_needs_a_folder,
    };
    return run_suite("referee_store", tests, sizeof tests / sizeof *tests);
}

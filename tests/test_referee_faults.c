// A referee whose peers are hostile, whose memory runs out, or whose disk is full.

#include "faulty_os.h"
#include "referee/message.h"
#include "referee/secret.h"
#include "referee_help.h"
#include "suite.h"

int __real_fsync(int file);
int __wrap_fsync(int file);

int __wrap_fsync(int file)
{
    (void)file;
    return fault() ? -1 : 0;
}

/// Two honest players play a game to its end, while the hostile peers do what they want at each step. Returns how long
/// it took.
typedef struct hostile {
    world *world;
    kifu_token token; ///< Of a seat of another game.
    unsigned char seen[16][300];
    size_t sizes[16];
    uint32_t next;
    guest *honest[2];
} hostile;

enum { HOSTILE = 1000 };

static void send_bytes(hostile *hostile, uint64_t peer, const void *bytes, size_t size)
{
    kifu_referee_receive(hostile->world->referee, peer, bytes, size, hostile->world->now);
}

static uint32_t draw(hostile *hostile, uint32_t below)
{
    return kifu_rng_below(&hostile->world->rng, below);
}

// What the honest players have sent, with one bit of it changed, of the token too.
static void send_changed(hostile *hostile, uint64_t peer)
{
    unsigned char bytes[300], token[KIFU__TOKEN], *end;
    const uint32_t which = draw(hostile, 16);
    kifu__request request;
    if (!kifu__read_request(hostile->seen[which], hostile->sizes[which], &request) || !request.token)
        return;
    memcpy(token, request.token, sizeof token);
    token[draw(hostile, KIFU__TOKEN)] ^= (unsigned char)(1U << draw(hostile, 8));
    request.token = draw(hostile, 4) ? token : NULL;
    end = kifu__put_bytes(kifu__write_request(bytes, &request), request.body, request.size);
    bytes[draw(hostile, 20)] ^= draw(hostile, 2) ? (unsigned char)(1U << draw(hostile, 8)) : 0;
    send_bytes(hostile, peer, bytes, draw(hostile, 4) ? (size_t)(end - bytes) : draw(hostile, (uint32_t)(end - bytes)));
}

// Who has a seat of another game does there whatever the messages allow, with moves of the honest ones, changed.
static void send_own(hostile *hostile, uint64_t peer)
{
    unsigned char bytes[500], token[KIFU__TOKEN], body[300];
    const uint32_t which = draw(hostile, 16);
    kifu__request request, of_other = {.name = "other", .token = token};
    kifu__read_token(hostile->token.text, token);
    if (!kifu__read_request(hostile->seen[which], hostile->sizes[which], &request))
        return;
    of_other.session = draw(hostile, 3);
    of_other.kind = (uint8_t)(KIFU__JOIN + draw(hostile, 6));
    of_other.number = of_other.next = draw(hostile, 4) ? draw(hostile, 50) : UINT32_MAX - draw(hostile, 2);
    of_other.place = draw(hostile, 3) ? 6 : draw(hostile, 30);
    of_other.sequence = draw(hostile, 3);
    kifu__put_bytes(body, request.body, request.size);
    if (request.size && draw(hostile, 2))
        body[draw(hostile, (uint32_t)request.size)] ^= (unsigned char)(1U << draw(hostile, 8));
    const unsigned char *end = kifu__put_bytes(kifu__write_request(bytes, &of_other), body, request.size);
    send_bytes(hostile, peer, bytes, (size_t)(end - bytes));
}

static void send_noise(hostile *hostile, uint64_t peer)
{
    static unsigned char bytes[70000];
    const uint32_t size = draw(hostile, 2) ? draw(hostile, 100) : draw(hostile, sizeof bytes);
    for (uint32_t i = 0; i < size && i < 200; i++)
        bytes[i] = (unsigned char)draw(hostile, 256);
    send_bytes(hostile, peer, bytes, size);
}

static void attack(hostile *hostile)
{
    for (uint32_t i = 0; i < 20; i++) {
        const uint64_t peer = HOSTILE + draw(hostile, 5000);
        const uint32_t what = draw(hostile, 3);
        (what ? what > 1 ? send_own : send_changed : send_noise)(hostile, peer);
    }
    for (uint32_t i = 0; i < 200; i++) // one of them floods
        send_changed(hostile, HOSTILE);
}

static hostile *listening;

static bool overhear(void *context, const void *bytes, size_t size)
{
    hostile *hostile = listening;
    if (size <= sizeof hostile->seen[0]) {
        memcpy(hostile->seen[hostile->next % 16], bytes, size);
        hostile->sizes[hostile->next++ % 16] = size;
    }
    return send_to_referee(context, bytes, size);
}

static uint64_t play_honestly(bool attacked, counted *memory)
{
    static hostile hostile;
    world world = {.options.timeline = {.allocate = count_memory, .allocate_context = memory}};
    kifu_token tokens[2], others[2];
    memset(&hostile, 0, sizeof hostile);
    hostile.world = &world;
    create_world(&world, &(kifu_loopback_faults){.seed = 5, .late_ms = 20});
    open_game(&world, "honest", 2, tokens);
    open_game(&world, "other", 2, others);
    listening = &hostile;
    hostile.token = others[0];
    for (int i = 0; i < 2; i++) {
        hostile.honest[i] = add_guest_by(&world, "honest", tokens[i].text, overhear);
        if (attacked)
            add_guest(&world, "honest", i ? others[i].text : NULL); // one with a token of another game
    }
    const uint64_t begin = world.now;
    for (int i = 0; i < 10000 && !is_over(kifu_client_timeline(hostile.honest[0]->client)); i++) {
        play_at_random(hostile.honest[0]);
        play_at_random(hostile.honest[1]);
        if (attacked)
            attack(&hostile);
        pass_time(&world, UINT64_MAX);
    }
    const uint64_t took = world.now - begin;
    pass_all_until(&world, world.now + 20000);
    for (int i = 0; i < 2; i++) {
        expect_same_state(&world, "honest", hostile.honest[i]);
        ck_assert_uint_eq(count_moves(game_of(&world, "honest"), i), hostile.honest[i]->done);
    }
    must_be(is_over(game_of(&world, "honest")));
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 2);
    destroy_world(&world);
    ck_assert_uint_eq(memory->blocks, 0);
    return took;
}

START_TEST(W07_hostile_peers_neither_change_nor_delay_the_game_of_others)
{
    counted memory = {.allowed = SIZE_MAX / 2};
    const uint64_t alone = play_honestly(false, &memory), attacked = play_honestly(true, &memory);
    ck_assert_msg(attacked < 2 * alone + 1000, "%llu ms instead of %llu", (unsigned long long)attacked,
                  (unsigned long long)alone);
}
END_TEST

static uint32_t answers;
static kifu_answer last_answer;

static bool count_answers(void *context, uint64_t peer, const void *bytes, size_t size)
{
    (void)context, (void)peer;
    answers++;
    last_answer = (kifu_answer)((const unsigned char *)bytes)[size > 6 ? 6 : 0]; // behind session, kind and number
    return true;
}

START_TEST(W07_a_flood_is_told_once_and_no_other_peer_waits_for_it)
{
    world world = {.options.requests_per_second = 10};
    unsigned char bytes[300] = {0};
    create_world(&world, &(kifu_loopback_faults){.seed = 5});
    kifu_referee_destroy(world.referee);
    world.options.send = count_answers;
    must_be(!kifu_referee_create(&nim_rules, &world.options, &world.referee, NULL));
    for (int i = 0; i < 1000; i++)
        kifu_referee_receive(world.referee, 7, bytes, sizeof bytes, 5000);
    ck_assert_uint_eq(answers, 21); // a burst of two seconds, and a word that it is too much
    ck_assert_int_eq(last_answer, KIFU_ANSWER_SLOW_DOWN);
    kifu_referee_receive(world.referee, 8, bytes, sizeof bytes, 5000);
    ck_assert_uint_eq(answers, 22);
    ck_assert_int_eq(last_answer, KIFU_ANSWER_MALFORMED);
    for (int i = 0; i < 1000; i++)
        kifu_referee_receive(world.referee, 7, bytes, sizeof bytes, 6000);
    ck_assert_uint_eq(answers, 33); // ten more after a second
    destroy_world(&world);
}
END_TEST

START_TEST(W07_a_peer_that_reads_nothing_holds_nobody_up)
{
    world world = {0};
    kifu_token tokens[2];
    create_world(&world, &(kifu_loopback_faults){.seed = 5, .room = 40});
    open_game(&world, "game", 2, tokens);
    guest *guests[2] = {add_guest(&world, "game", tokens[0].text), add_guest(&world, "game", tokens[1].text)};
    guest *deaf = add_guest(&world, "game", NULL);
    pass_all_until(&world, world.now + 100);
    const uint32_t before = kifu_event_count(kifu_client_timeline(deaf->client));
    deaf->deaf = true;
    for (int i = 0; i < 10000 && !is_over(kifu_client_timeline(guests[0]->client)); i++) {
        play_at_random(guests[i % 2]);
        pass_time(&world, UINT64_MAX);
    }
    pass_all_until(&world, world.now + 1000);
    must_be(is_over(game_of(&world, "game")));
    ck_assert_uint_eq(kifu_event_count(kifu_client_timeline(deaf->client)), before);
    deaf->deaf = false;
    pass_all_until(&world, world.now + 20000);
    expect_same_state(&world, "game", deaf);
    destroy_world(&world);
}
END_TEST

START_TEST(W07_a_client_takes_any_bytes)
{
    world world = {0};
    kifu_token tokens[2];
    hostile hostile = {.world = &world};
    create_world(&world, &(kifu_loopback_faults){.seed = 5});
    open_game(&world, "game", 2, tokens);
    guest *guest = add_guest(&world, "game", tokens[0].text);
    pass_all_until(&world, world.now + 100);
    for (uint32_t i = 0; i < 20000; i++) {
        kifu_arrival arrival;
        unsigned char bytes[2000];
        must_be(!kifu_client_rejoin(guest->client, world.now));
        world.now += 1000;
        kifu_client_tick(guest->client, world.now);
        while (kifu_loopback_receive(world.loopback, UINT64_MAX, world.now, &arrival)) {
            if (arrival.to == REFEREE) {
                kifu_referee_receive(world.referee, arrival.from, arrival.bytes, arrival.size, world.now);
            } else if (arrival.size && arrival.size <= sizeof bytes) {
                memcpy(bytes, arrival.bytes, arrival.size);
                bytes[8 + draw(&hostile, (uint32_t)arrival.size - 8)] ^= (unsigned char)(1U << draw(&hostile, 8));
                kifu_client_receive(guest->client, bytes, arrival.size, world.now);
                kifu_client_receive(guest->client, bytes, draw(&hostile, (uint32_t)arrival.size), world.now);
            }
        }
    }
    must_be(!kifu_client_rejoin(guest->client, world.now));
    pass_all_until(&world, world.now + 20000);
    expect_same_state(&world, "game", guest);
    destroy_world(&world);
}
END_TEST

// --- Requests by hand ------------------------------------------------------------------------------------------------

typedef struct seat {
    kifu__request request; ///< With the session and the token.
    unsigned char token[KIFU__TOKEN];
} seat;

static world *asked;
static int heard; ///< The last answer; -1: none.

static bool hear_answer(void *context, uint64_t peer, const void *bytes, size_t size)
{
    kifu__parse parse = kifu__parse_of(bytes, size);
    (void)context, (void)peer;
    kifu__take_session(&parse);
    if (kifu__take_byte(&parse) == KIFU__ANSWER) {
        kifu__take_number(&parse);
        heard = kifu__take_byte(&parse);
    }
    return true;
}

static void start_asked(world *world, const char *folder)
{
    asked = world;
    *world = (struct world){.options = {.folder = folder, .begin = begin_nim, .send = hear_answer}};
    must_be(!kifu_referee_create(&nim_rules, &world->options, &world->referee, NULL));
}

static int ask(seat *seat, uint8_t kind, uint32_t number, const void *body, size_t size)
{
    unsigned char bytes[500];
    seat->request.kind = kind;
    seat->request.number = seat->request.next = number;
    const unsigned char *end = kifu__put_bytes(kifu__write_request(bytes, &seat->request), body, size);
    heard = -1;
    kifu_referee_receive(asked->referee, 1, bytes, (size_t)(end - bytes), asked->now += 1000);
    return heard;
}

static int take(seat *seat, uint32_t number, uint8_t heap, uint16_t count)
{
    kifu_timeline *nim;
    kifu_buffer buffer = {0};
    must_be(!kifu_create(&nim_rules, NULL, &nim, NULL));
    must_be(!nim_build_p_take(nim, &buffer, heap, count, 0));
    const int answer = ask(seat, KIFU__PLAY, number, buffer.data, buffer.size);
    kifu_free_buffer(&buffer);
    kifu_destroy(nim);
    return answer;
}

static uint32_t place(void)
{
    return kifu_event_count(game_of(asked, "game"));
}

// Two seats, the one that moves first in front.
static void open_asked(seat seats[2])
{
    kifu_token tokens[2];
    must_be(!kifu_referee_open(asked->referee, "game", &(kifu_table){.seats = 2}, tokens, 0, NULL));
    const int first = kifu_current_player(kifu_get_game(game_of(asked, "game")));
    for (int i = 0; i < 2; i++) {
        seats[i] = (seat){.request = {.name = "game", .session = 11 + (uint64_t)i, .place = place()}};
        kifu__read_token(tokens[i ? !first : first].text, seats[i].token);
        seats[i].request.token = seats[i].token;
        ck_assert_int_eq(ask(&seats[i], KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_DONE);
    }
}

START_TEST(W07_a_request_is_done_once_also_when_copies_of_it_come_late)
{
    char folder[200];
    world world;
    seat seats[2];
    make_folder(folder);
    start_asked(&world, folder);
    open_asked(seats);
    const uint32_t begin = place();
    ck_assert_int_eq(take(&seats[0], 1, 3, 0), KIFU_ANSWER_REFUSED);
    ck_assert_int_eq(take(&seats[0], 2, 3, 1), KIFU_ANSWER_DONE);
    ck_assert_int_eq(take(&seats[0], 2, 3, 1), KIFU_ANSWER_DONE); // a copy
    ck_assert_int_eq(take(&seats[0], 1, 3, 1), -1);
    ck_assert_uint_eq(place(), begin + 1);
    seats[0].request.place = seats[1].request.place = begin + 1;
    ck_assert_int_eq(take(&seats[0], 3, 3, 1), KIFU_ANSWER_REFUSED); // it is not its turn
    ck_assert_int_eq(take(&seats[1], 1, 3, 1), KIFU_ANSWER_DONE);
    seats[0].request.place = begin + 2;
    // The session has given up its third request, and another referee is there.
    kifu_referee_destroy(world.referee);
    must_be(!kifu_referee_create(&nim_rules, &world.options, &world.referee, NULL));
    ck_assert_int_eq(take(&seats[0], 3, 3, 1), KIFU_ANSWER_JOIN);
    ck_assert_int_eq(ask(&seats[0], KIFU__JOIN, 4, NULL, 0), KIFU_ANSWER_DONE);
    take(&seats[0], 3, 3, 1);
    ck_assert_uint_eq(place(), begin + 2);
    ck_assert_int_eq(take(&seats[0], 4, 3, 1), KIFU_ANSWER_DONE);
    // What was done before the kill is known after it, by the session that did it.
    ck_assert_int_eq(ask(&seats[1], KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_DONE);
    ck_assert_int_eq(take(&seats[1], 1, 3, 1), KIFU_ANSWER_DONE);
    ck_assert_uint_eq(place(), begin + 3);
    kifu_referee_destroy(world.referee);
    remove_folder(folder);
}
END_TEST

static unsigned char question[10];
static size_t question_size;

static bool hear_id(void *context, uint64_t peer, const void *bytes, size_t size)
{
    const unsigned char *message = bytes;
    if (message[KIFU__SESSION_SENT] == KIFU__QUESTION) {
        kifu__parse parse = kifu__parse_of(message + KIFU__SESSION_SENT + 1, size - KIFU__SESSION_SENT - 1);
        question_size = (size_t)(kifu__put(question, kifu__take_number(&parse)) - question);
    }
    return hear_answer(context, peer, bytes, size);
}

START_TEST(W07_a_move_or_a_consent_from_before_an_undo_does_nothing_after_it)
{
    world world;
    seat seats[2];
    unsigned char agree[11];
    start_asked(&world, NULL);
    kifu_referee_destroy(world.referee);
    world.options.send = hear_id;
    must_be(!kifu_referee_create(&nim_rules, &world.options, &world.referee, NULL));
    open_asked(seats);
    const uint32_t begin = place();
    ck_assert_int_eq(take(&seats[0], 1, 3, 1), KIFU_ANSWER_DONE);
    seats[0].request.place++;
    ck_assert_int_eq(ask(&seats[0], KIFU__UNDO, 2, NULL, 0), KIFU_ANSWER_ASKED);
    ck_assert_int_eq(ask(&seats[0], KIFU__UNDO, 2, NULL, 0), KIFU_ANSWER_ASKED);
    memcpy(agree, question, question_size);
    agree[question_size] = 1;
    ck_assert_int_eq(ask(&seats[0], KIFU__CONSENT, 0, agree, question_size + 1), -1); // who asks is not enough
    ck_assert_uint_eq(place(), begin + 1);
    ck_assert_int_eq(ask(&seats[1], KIFU__CONSENT, 0, agree, question_size + 1), KIFU_ANSWER_DONE);
    ck_assert_uint_eq(place(), begin);
    seats[0].request.undos = 1;
    seats[0].request.place = begin;
    ck_assert_int_eq(take(&seats[0], 3, 2, 1), KIFU_ANSWER_DONE);
    // The other's move was made at this place, of the game before the undo.
    seats[1].request.place = begin + 1;
    ck_assert_int_eq(take(&seats[1], 1, 3, 1), KIFU_ANSWER_STALE);
    // And its consent was to another question.
    seats[0].request.place = begin + 1;
    ck_assert_int_eq(ask(&seats[0], KIFU__UNDO, 4, NULL, 0), KIFU_ANSWER_ASKED);
    ck_assert_int_eq(ask(&seats[1], KIFU__CONSENT, 0, agree, question_size + 1), -1);
    ck_assert_uint_eq(place(), begin + 1);
    kifu_referee_destroy(world.referee);
}
END_TEST

START_TEST(W07_a_session_that_was_replaced_never_gets_its_seat_again)
{
    char folder[200];
    world world;
    seat seats[2];
    make_folder(folder);
    start_asked(&world, folder);
    open_asked(seats);
    seats[0].request.session = 21;
    ck_assert_int_eq(take(&seats[0], 1, 3, 1), KIFU_ANSWER_JOIN);
    ck_assert_int_eq(ask(&seats[0], KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_DONE);
    ck_assert_int_eq(take(&seats[0], 1, 3, 1), KIFU_ANSWER_DONE);
    for (int i = 0; i < 2; i++) {
        seats[0].request.session = 11;
        ck_assert_int_eq(ask(&seats[0], KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_REPLACED);
        ck_assert_int_eq(take(&seats[0], 1, 3, 1), KIFU_ANSWER_REPLACED);
        seats[0].request.session = 21;
        kifu_referee_destroy(world.referee);
        must_be(!kifu_referee_create(&nim_rules, &world.options, &world.referee, NULL));
        ck_assert_int_eq(ask(&seats[0], KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_DONE);
    }
    kifu_referee_destroy(world.referee);
    remove_folder(folder);
}
END_TEST

START_TEST(W07_who_has_no_token_keeps_no_game_in_memory)
{
    char folder[200];
    world world;
    seat seats[2], forger;
    make_folder(folder);
    start_asked(&world, folder);
    open_asked(seats);
    kifu_referee_destroy(world.referee);
    world.options.only_players = true;
    must_be(!kifu_referee_create(&nim_rules, &world.options, &world.referee, NULL));
    forger = seats[0];
    forger.token[15] ^= 1;
    forger.request.token = forger.token;
    ck_assert_int_eq(ask(&forger, KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_NO_SEAT);
    forger.request.token = NULL;
    ck_assert_int_eq(ask(&forger, KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_NO_SEAT);
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 0);
    seats[0].request.token = seats[0].token;
    ck_assert_int_eq(ask(&seats[0], KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_DONE);
    ck_assert_int_eq(ask(&forger, KIFU__JOIN, 1, NULL, 0), KIFU_ANSWER_NO_SEAT);
    ck_assert_uint_eq(kifu_referee_awake(world.referee), 1);
    kifu_referee_destroy(world.referee);
    remove_folder(folder);
}
END_TEST

START_TEST(W07_options_let_moves_of_any_place_in_and_send_a_part_of_the_past)
{
    world world;
    seat seats[2];
    start_asked(&world, NULL);
    kifu_referee_destroy(world.referee);
    world.options.any_place = true;
    must_be(!kifu_referee_create(&nim_rules, &world.options, &world.referee, NULL));
    open_asked(seats);
    const uint32_t begin = place();
    seats[0].request.place = begin + 7;
    ck_assert_int_eq(take(&seats[0], 1, 3, 1), KIFU_ANSWER_DONE);
    ck_assert_uint_eq(place(), begin + 1);
    kifu_referee_destroy(world.referee);

    kifu_token tokens[2];
    world = (struct world){.options.whole_events = 2};
    create_world(&world, &(kifu_loopback_faults){.seed = 5});
    open_game(&world, "game", 2, tokens);
    guest *guest = add_guest(&world, "game", tokens[0].text);
    pass_all_until(&world, world.now + 100);
    kifu_event event;
    kifu_timeline *timeline = kifu_client_timeline(guest->client);
    const uint32_t count = kifu_event_count(timeline);
    ck_assert_uint_eq(count, kifu_event_count(game_of(&world, "game")));
    must_be(!kifu_event_at(timeline, count - 3, &event) && kifu_event_at(timeline, count - 2, &event));
    destroy_world(&world);
}
END_TEST

START_TEST(W07_a_move_takes_little_room_in_the_log_file)
{
    char folder[200], path[300];
    struct stat before, after;
    world world;
    seat seats[2];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/game.kifu", folder);
    start_asked(&world, folder);
    open_asked(seats);
    for (uint32_t i = 0; i < 14; i++) {
        if (i == 4)
            must_be(!stat(path, &before)); // types of events and sessions are there by then
        seats[i % 2].request.place = place();
        ck_assert_int_eq(take(&seats[i % 2], i / 2 + 1, (uint8_t)(i < 8 ? 3 : 2), 1), KIFU_ANSWER_DONE);
    }
    must_be(!stat(path, &after));
    ck_assert_int_le(after.st_size - before.st_size, 10 * 80);
    kifu_referee_destroy(world.referee);
    remove_folder(folder);
}
END_TEST

// --- Memory and disk -------------------------------------------------------------------------------------------------

// A game, from its opening to its end; `spoil` decides at each step what fails.
static void play_spoiled(const char *folder, counted *memory, void (*spoil)(counted *memory, uint32_t at), uint32_t at)
{
    world world = {.options = {.folder = folder,
                               .timeline = {.allocate = count_memory, .allocate_context = memory},
                               .idle_ms = 3000}};
    kifu_token tokens[2];
    memory->allowed = SIZE_MAX / 2;
    create_world(&world, &(kifu_loopback_faults){.seed = 5, .late_ms = 20});
    open_game(&world, "game", 2, tokens);
    guest *guests[2] = {add_guest(&world, "game", tokens[0].text), add_guest(&world, "game", tokens[1].text)};
    spoil(memory, at);
    for (int i = 0; i < 10000 && !is_over(kifu_client_timeline(guests[0]->client)); i++) {
        play_at_random(guests[0]);
        play_at_random(guests[1]);
        pass_time(&world, UINT64_MAX);
        if (i == 60)
            pass_all_until(&world, world.now + 8000); // it sleeps, and is woken
    }
    memory->allowed = SIZE_MAX / 2;
    arm(0, 0, false);
    pass_all_until(&world, world.now + 60000);
    for (int i = 0; i < 2; i++) {
        ck_assert_msg(is_over(kifu_client_timeline(guests[i]->client)), "failure %u: %s", at, guests[i]->words);
        expect_same_state(&world, "game", guests[i]);
        ck_assert_uint_eq(count_moves(game_of(&world, "game"), i), guests[i]->done);
    }
    destroy_world(&world);
    ck_assert_uint_eq(memory->blocks, 0);
}

static void refuse_one(counted *memory, uint32_t at)
{
    memory->allowed = at;
}

static void fail_once(counted *memory, uint32_t at)
{
    (void)memory;
    arm((int)at, ENOSPC, false);
}

START_TEST(W07_without_memory_a_request_is_asked_again_and_nothing_is_lost)
{
    char folder[200];
    counted memory = {0};
    for (uint32_t at = 0; at < 150; at++)
        play_spoiled(NULL, &memory, refuse_one, at);
    for (uint32_t at = 0; at < 400; at += at < 40 ? 1 : 13) {
        make_folder(folder);
        play_spoiled(folder, &memory, refuse_one, at);
        remove_folder(folder);
    }
}
END_TEST

START_TEST(W07_on_a_full_disk_nothing_is_answered_as_done_that_is_not_stored)
{
    char folder[200];
    counted memory = {0};
    for (uint32_t at = 1; at < 60; at++) {
        make_folder(folder);
        play_spoiled(folder, &memory, fail_once, at);
        remove_folder(folder);
    }
}
END_TEST

START_TEST(W07_what_cannot_be_made_for_want_of_memory_leaves_nothing)
{
    counted memory = {0};
    world world = {.options = {.begin = begin_nim,
                               .send = send_to_peer,
                               .timeline = {.allocate = count_memory, .allocate_context = &memory}}};
    kifu_token tokens[2];
    kifu_error error;
    kifu_result result = KIFU_NO_MEMORY;
    char folder[200];
    make_folder(folder);
    world.options.folder = folder;
    for (size_t at = 0; result; at++) {
        memory.allowed = at;
        result = kifu_referee_create(&nim_rules, &world.options, &world.referee, &error);
        memory.allowed = SIZE_MAX / 2;
        must_be(!result || (result == KIFU_NO_MEMORY && error.result == result && !world.referee && !memory.blocks));
    }
    result = KIFU_NO_MEMORY;
    for (size_t at = 0; result; at++) {
        memory.allowed = at;
        result = kifu_referee_open(world.referee, "game", &(kifu_table){.seats = 2}, tokens, 0, &error);
        memory.allowed = SIZE_MAX / 2;
        must_be(!result || (result == KIFU_NO_MEMORY && error.result == result));
        ck_assert_uint_eq(kifu_referee_awake(world.referee), !result);
    }
    kifu_client *client;
    result = KIFU_NO_MEMORY;
    kifu_client_options options = {
        .game = "game", .token = tokens[0].text, .send = send_to_referee, .timeline = world.options.timeline};
    kifu_referee_destroy(world.referee);
    ck_assert_uint_eq(memory.blocks, 0);
    for (size_t at = 0; result; at++) {
        memory.allowed = at;
        result = kifu_client_create(&nim_rules, &options, &client, &error);
        memory.allowed = SIZE_MAX / 2;
        must_be(!result || (result == KIFU_NO_MEMORY && error.result == result && !client && !memory.blocks));
    }
    kifu_client_destroy(client);
    ck_assert_uint_eq(memory.blocks, 0);
    remove_folder(folder);
}
END_TEST

static bool no_entropy(void *context, void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return false;
}

START_TEST(W07_without_entropy_there_is_neither_referee_nor_client)
{
    kifu_referee *referee;
    kifu_client *client;
    kifu_error error;
    const kifu_referee_options options = {.begin = begin_nim, .send = send_to_peer, .entropy = no_entropy};
    const kifu_client_options of_client = {.game = "game", .send = send_to_referee, .entropy = no_entropy};
    ck_assert_int_eq(kifu_referee_create(&nim_rules, &options, &referee, &error), KIFU_UNSUPPORTED);
    ck_assert_ptr_null(referee);
    ck_assert_int_eq(kifu_client_create(&nim_rules, &of_client, &client, &error), KIFU_UNSUPPORTED);
    ck_assert_ptr_null(client);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W07_hostile_peers_neither_change_nor_delay_the_game_of_others,
        W07_a_flood_is_told_once_and_no_other_peer_waits_for_it,
        W07_a_peer_that_reads_nothing_holds_nobody_up,
        W07_a_client_takes_any_bytes,
        W07_a_request_is_done_once_also_when_copies_of_it_come_late,
        W07_a_move_or_a_consent_from_before_an_undo_does_nothing_after_it,
        W07_a_session_that_was_replaced_never_gets_its_seat_again,
        W07_who_has_no_token_keeps_no_game_in_memory,
        W07_options_let_moves_of_any_place_in_and_send_a_part_of_the_past,
        W07_a_move_takes_little_room_in_the_log_file,
        W07_without_memory_a_request_is_asked_again_and_nothing_is_lost,
        W07_on_a_full_disk_nothing_is_answered_as_done_that_is_not_stored,
        W07_what_cannot_be_made_for_want_of_memory_leaves_nothing,
        W07_without_entropy_there_is_neither_referee_nor_client,
    };
    return run_suite("referee_faults", tests, sizeof tests / sizeof *tests);
}

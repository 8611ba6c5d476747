// A game of Nim in C++: a timeline that frees itself, refusals as exceptions, a view by an object's functions, undo and
// a save.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "nim.h"

namespace
{

class Game
{
  public:
    Game()
    {
        m_view.base.context = this;
        m_view.act_p_take = [](void *context, kifu_timeline *, const nim_state *, const nim_p_take *take) {
            static_cast<Game *>(context)->shown.push_back(take->count);
            return 0.0;
        };
        kifu_options options{};
        options.view = &m_view.base;
        kifu_timeline *made = nullptr;
        kifu_error error{};
        if (kifu_create(&nim_rules, &options, &made, &error) != KIFU_OK)
            throw std::runtime_error(error.message);
        m_timeline.reset(made);
        kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
        initialize.has_seed = true;
        initialize.seed = 7;
        const std::vector<uint16_t> stones{1, 3, 5, 7};
        nim_submit_e_reset_game(timeline());
        nim_submit_e_add_player(timeline(), 0, KIFU_RED);
        nim_submit_e_add_player(timeline(), 1, KIFU_BLUE);
        nim_submit_e_initialize(timeline(), &initialize);
        nim_submit_e_deal(timeline(), stones.data(), static_cast<uint32_t>(stones.size()));
        nim_submit_e_start_round(timeline());
        must(kifu_run(timeline()));
    }

    kifu_timeline *timeline() const
    {
        return m_timeline.get();
    }

    int turn() const
    {
        return kifu_current_player(kifu_get_game(timeline()));
    }

    void take(uint8_t heap, uint16_t count)
    {
        nim_p_take_args args = nim_p_take_defaults();
        args.heap = heap;
        args.count = count;
        must(nim_play_p_take_args(timeline(), turn(), &args));
    }

    void must(kifu_result result) const
    {
        if (result != KIFU_OK)
            throw std::runtime_error(kifu_error_reason(kifu_last_error(timeline())));
    }

    std::vector<int> shown{};

  private:
    struct Free {
        void operator()(kifu_timeline *timeline) const
        {
            kifu_destroy(timeline);
        }
    };

    nim_view m_view{};
    std::unique_ptr<kifu_timeline, Free> m_timeline{};
};

} // namespace

int main(int argc, char **argv)
{
    try {
        Game game;
        game.take(3, 6);
        try {
            game.take(3, 6);
        } catch (const std::runtime_error &refusal) {
            std::printf("%s\n", refusal.what());
        }
        game.take(2, 5);
        game.must(kifu_undo(game.timeline()));
        if (argc > 1)
            game.must(kifu_save(game.timeline(), argv[1], nullptr));
        for (const uint16_t stones : nim_get_state(game.timeline())->heaps)
            std::printf("%u ", stones);
        std::printf("shown %zu\n", game.shown.size());
        return 0;
    } catch (const std::exception &error) {
        std::printf("failed: %s\n", error.what());
        return 1;
    }
}

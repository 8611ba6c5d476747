/// Recorded games, one behind the other on one timeline: what the bot told the hero to do (the commands of game.h).
#ifndef RECORDED_GAME_H
#define RECORDED_GAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RECORDED_GAMES = 4,
    RECORDED_TURNS = 3396, ///< Game turns of all of them.
    RECORDED_EVENTS = 18635
};

/// Hash of the state at the end.
#define RECORDED_HASH UINT64_C(0x0275a85dacf6a83b)

typedef struct recorded_game {
    uint64_t seed;
    bool won;
    const char *commands;
} recorded_game;

static const recorded_game recorded_games[RECORDED_GAMES] = {
    {1, true,
     "hhhhbgyuukkullukkk..yy..ykkl2yyy......nnnn....................yhhhyuu.........uuuuu.............ugg4"
     "uyyhhhhhhhh.......hhhhh...hhhgyhbbbbbjnjj..bb2bbnnnnbln....nnjnj.jjj.....bbbb......ngy......kkkkbhhg"
     "llunllllnllhyhhhhykykyyhhhhhhhhhhhhhhhhhh..h.hhhybgukkuukubjbbjjnllnnbhhb.bbb........uuuuunyull.uu.u"
     "yyuullllllllllllukkykuuuullnlllllllulllnnn>...........ybguulllukuukkkkk.kkkk........k.......y..y.yyy"
     "y.....hkyh....yyy.yyyyyyyk..............y..yyyyy..........yyyhhhhhhbbbbbbhhbjjjbhhhhhhhnnnnlllllllln"
     ".......hhhhhhhhhhhh.......lllnb...hhhhhhhhhhhhhhhhhbbhhyhhhhhhhyykkkk...uuky....uuuulnnnlllllllllllu"
     "nlllllllnnyhhhhhhhykkulluyyyyh....lll.nn....lhbbhhhh..hhhhhhlllllulllllllllllllllnnnnnlnnnn>........"
     "......kbkkku4yyg2yu.bbbbuuu1uuu...u.............ukkk.......bb.........b....bbbbb6bbbbb.............."
     "......................................hgjnn7.bbj..jnnngyyh..kkkkk...bhhhhhbhyyhhhhhhhhbgyhyhhhhhhyyh"
     "hyukuuuyyyuuug"},
    {2, false,
     "unnngyyybhhhhhyh2...hhhhh.h..llhbg3ybg3yyyuluuy.....yyyygulgullll.l.llnuglll6.......lnnulllllllllnn."
     "nnuullnnnjbhhhhbjj....nnnn.....uungybbbnllnb......uubjgkyyh..lhbjbhhhhyyyhhhhbbhhhyhhhhh..hh..yyyyhy"
     "yu..........llllllukkjbhhhhhbnlnnlllllnllluullllnnlllukullllnn>........lllnnulllll.lll.l....hhhhhh.."
     ".......ulllllllnnnuulllllllll......bnnjjnlnnbbbbnbhhhbb..jjj.....n..lnnnlll........................."
     "...........hbbhhhhbbhbb........llll..............................hhhhhhhhhhyykuluuyyyy...........ubb"
     "hbjnlllllllllllllukullluyuuuuyhykkyyhhhhbbyyh......hh..llhhhhhhbhhhhhbybbjjjjj..jjbhbbnlllnnbbuyhhhy"
     "uulukkkkkuunulllllu>.......bbullluukyhhhhhy.kk...kkk.......kknnnnnn1..n...n........................."
     ".kkkkkkk..nnn........................................kgyyyhhbjbhyyhhhbbbbnnn.bbbyy............4....."
     "...............ukkk6..........................."},
    {11, true,
     "uughhykuyyhhhhhhhh2.....hh.....llll...llll............hyhhhhhgjnnjnlllnjjb...hhhhhh.......hg2nnnnbj."
     "j.bnbbbukukullllllukkkuuullllln...l....llu......ll......l...uuuuuuuu....................ulll......ll"
     "..lnnnnbj...jjbhbgbnnjbbbjjnngyybhhbbyhhhhhhhglllllllnullukkuukkuuukuyyyhhhhbhbhhyhhhhhhhhhhhhhhhhyh"
     "b>..............kugykknnbb.yybnnbhhhhbb...bbbb1bb2bjj..........nllnnngunnlllllluuuunlnng6yyhykullluu"
     "uu...uykkkkyhh...yyk.....uuy.....uuuu..............nnn.nn..........ybhhyyhhhhhbbbb.......hhhhhhhhhbb"
     "bb...yyyyyyhh........hhhhhhhhhhhbbbbbnllllnjjbbbjjbjj..nnnn..nlllllllnnnllllluuuuukkkkk............."
     ".....................kkuulllluyyyyuykkuuulllllnnlluullll>.................kyy....hhhhhbjbhhyhhhykkuu"
     "kk34kugug"},
    {9, true,
     "hgunnlllnnl2.llhhyyhhhyhy.yyyy....................nnnnnn..................yhhyu..uyyy.ulllllluukkyhh"
     "hyyk....yyyyyy..............g2ulhhhhhbbhhhy.........hhhhh.nhhhh....hghhhbjbhhbb.nbbbb.....ubbnnbj.jj"
     "jj....njjg2nlllnguulllllllllllllluyhhyuullllllunlnllllll.....uungulllghhykkyh..yyyyyhhhhh...l...llhh"
     "hhhhhhhhbhhhyhhhhhhb>..............ynllul.....llbhhhubububullllllllbhhykkkkyulllllll....lllllll..l.."
     "....uuulnnjnllllnnbbnnnnbhhhhbjjb.hun.....llllllllnluulllllllnnnnl...............hh.....bhhhhhbbhyhh"
     "hhhhhykulllluyyyuuyhhhhykuuulllllllllnjnl.lll.......lunnbbb...jjj...........nyuuyybhhykyhhhhhhhhhhhb"
     "b....hhhhhhhhhhbjjjjjbhhhhbbbbhbbnllhhyuluuullllukkkkkullllluulllllllllllnjnlluuunn>................"
     "..ulluuuuuluuuuuu.......uuuuuuuuuu......uuuuu...........uuuu............................uuuuu...l..."
     "........uykuyuyhyubnlnnlllllnnnjjnlllll.........hhh.............llnjjbukyhhhhykkkuuulllukyullllullnj"
     "jnnlnnlg"},
};

#endif

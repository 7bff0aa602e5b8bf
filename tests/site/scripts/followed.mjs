// Print the seat due at each following card, as the page continues by itself from each board on standard input.
import { readFileSync } from "node:fs";
const { applied, isBeforeFirstCard } = await import(process.argv[1]);
const follow = ({board, acts}) => acts.map(act => {
  const due = isBeforeFirstCard(board) ? board.order[0] : board.turn;
  board = applied(board, act);
  return act.type === "card_played" ? due : null;
});
const told = Object.entries(JSON.parse(readFileSync(0))).map(([replay, lost]) => [replay, lost.map(follow)]);
console.log(JSON.stringify(Object.fromEntries(told)));

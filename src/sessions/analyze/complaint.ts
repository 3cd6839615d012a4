/** How many characters are searched. Complaints come first; text pasted below them does not matter. */
const MAX_SEARCHED_LENGTH = 300;

/** Words that report that something is wrong. */
const WRONG =
  /\b(?:wrong|broken|incorrect|fail(?:s|ed|ing|ure)?|errors?|bugs?|buggy|crash(?:es|ed|ing)?|regress\w*|weird|strange|odd|unexpected|confus\w+|somehow|messed|mistakes?|problem|missing|useless|annoying)\b|\bnot (?:correct|right|true|working|what|quite|good|ok|okay|there|showing)\b|n['’]t (?:\w+ )?(?:work|right|correct|what|true|show|build|compile|pass|match|help|make sense)|\bstill (?!need|have to|want|to do)\w+/i;

/** Words that express dislike of what the agent did. */
const UNWANTED =
  /^(?:no\b|nope\b|not\b|wait\b|stop\b|hmm|sorry\b|actually\b|but\b|why\b|please don['’]?t)|\b(?:revert|undo|roll back|put (?:it|that|this) back)\b|\bwhy (?:is|are|was|were|do|does|did|can|could|would|should|have|has|not|you)\b|\byou(?:['’]ve| have)? (?:forgot|forgotten|missed|broke|broken|removed|deleted|ignored|skipped|misunderstood|changed)\b|\byou (?:should(?:n['’]t| not| have)|were supposed|did(?:n['’]t| not)|have(?:n['’]t| not)|are not|keep|seem)\b|\bI (?:do(?:n['’]?t| not)|did(?:n['’]t| not)) (?:\w+ )?(?:like|want|ask|see|need|agree|understand|think)\b|\b(?:that['’]s|this is|it['’]s|it is) not\b|\binstead of\b|\b(?:rather|less) than\b|\bshould(?:n['’]t| not)\b|\btoo (?:much|many|long|complex|complicated|verbose)\b|\boverkill\b|\bmy point\b/i;

/** Text that an agent or a program wrote on the person's behalf. */
const NOT_SAID = /^(?:[/<{[#]|implement the following plan\b|this session is being continued\b|caveat:)/i;

/** Whether a prompt says that something is wrong, broken or unwanted; English only. */
export function complains(prompt: string): boolean {
  const said = prompt.trimStart().slice(0, MAX_SEARCHED_LENGTH);
  return !NOT_SAID.test(said) && (UNWANTED.test(said) || WRONG.test(said));
}

/** What {@link complains} looks for, for databases that search by themselves. */
export const COMPLAINTS = {
  lookedAt: MAX_SEARCHED_LENGTH,
  notSaid: NOT_SAID,
  unwanted: UNWANTED,
  wrong: WRONG,
} as const;

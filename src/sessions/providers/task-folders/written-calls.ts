import type { ChatBlock } from '../chat-records.ts';

const TOOL =
  /<(read_file|list_files|write_to_file|replace_in_file|apply_diff|search_and_replace|insert_content|execute_command|search_files|list_code_definition_names|codebase_search|web_fetch|browser_action|use_mcp_tool|access_mcp_resource|new_task|plan_mode_respond|update_todo_list|attempt_completion|ask_followup_question|switch_mode)>\n?([\s\S]*?)<\/\1>/g;
const ARGUMENT = /<(\w+)>\n?([\s\S]*?)\n?<\/\1>/g;
const THINKING = /^\s*<thinking>\n?([\s\S]*?)\n?<\/thinking>\s*/;

/** The text of an answer, and the calls that versions without native tool calls wrote into it as tags. */
export function writtenCalls(said: string, answer: string): readonly ChatBlock[] {
  const blocks: ChatBlock[] = [];
  const thought = THINKING.exec(said);
  if (thought !== null) blocks.push({ type: 'thinking', text: thought[1] ?? '' });
  let at = thought?.[0].length ?? 0;
  const addText = (end: number) => {
    const piece = said.slice(at, end).trim();
    if (piece !== '') blocks.push({ type: 'text', text: piece });
  };
  for (const found of said.matchAll(TOOL)) {
    const [whole, name = '', inner = ''] = found;
    if (found.index < at) continue;
    addText(found.index);
    const args = Object.fromEntries(
      [...inner.matchAll(ARGUMENT)].map(([, key = '', value = '']) => [key, value]),
    );
    blocks.push({ type: 'call', id: `${answer}:${blocks.length}`, name, args });
    at = found.index + whole.length;
  }
  if (at === 0) return [{ type: 'text', text: said }];
  addText(said.length);
  return blocks;
}

import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A prompt that people can pick: what went wrong last, from broad to narrow. */
export function registerPrompt(server: McpServer): void {
  server.registerPrompt(
    'what_went_wrong',
    {
      title: 'What went wrong?',
      description: 'Find out why a recent agent session failed or was slow, with evidence.',
      argsSchema: z.object({
        topic: z.string().max(500).optional().describe('what the session was about, if known'),
      }),
    },
    ({ topic }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: [
              topic
                ? `Find the recent agent session about: ${topic}.`
                : 'Find the most recent agent session with failures.',
              'Use sql over sessions, calls and findings, or list_sessions, analyze_session and get_turn_steps; get_event_details has an event in full.',
              'Say what failed first, what was tried, and what would have avoided it. Quote session, turn and event numbers.',
            ].join(' '),
          },
        },
      ],
    }),
  );
}

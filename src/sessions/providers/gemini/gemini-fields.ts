import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const geminiFields: Fields = fieldsNamed({
  record: `$rewindTo $set content memoryScratchpad directories displayContent id kind lastUpdated meta model parts projectHash role sessionId
    startTime start_time summary thoughts timestamp tokens toolCalls ts type`,
  $set: `directories lastUpdated memoryScratchpad messages sessionId summary`,
});

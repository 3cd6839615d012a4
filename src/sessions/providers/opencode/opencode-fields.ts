import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const opencodeFields: Fields = fieldsNamed({
  record: `agent cost directory id message model modelID parent_id part parts path permission project_id providerID slug
    step summary_additions summary_deletions summary_files time time_created time_updated title tokens_cache_read
    tokens_cache_write tokens_input tokens_output tokens_reasoning tools type version`,
  part: `callID cost files hash metadata metrics reason snapshot state text time tokens tool type`,
  message: `agent cost finish mode model modelID parentID path providerID role time tokens tools`,
});

const TRIGGERS = [
  ...['lobby_added', 'lobby_removed', 'lobby_moved'],
  ...['ticket_added', 'ticket_removed', 'ticket_moved'],
  ...['lobby_labelled', 'lobby_relabelled', 'lobby_unlabelled'],
  ...['match_labelled', 'match_relabelled', 'match_unlabelled'],
  'stream_cut',
]

/**
 * What follows from a row is written by the commit that writes the row: labels by their difference, counts once for a group of
 * commits. A trigger costs each statement that could fire it, whether it does or not: half of what a lobby's row took.
 */
export const keptByCommits = TRIGGERS.map((trigger) => `drop trigger ${trigger};`).join('\n')

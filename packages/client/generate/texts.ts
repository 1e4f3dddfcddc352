/** What a member means, where the document itself does not say it. */
export const TEXTS: Readonly<Record<string, string>> = {}

/** The hover text of a type, or of a member of one: `Lobby.host_player_id`. */
export const textOf = (at: string, described: string | undefined): string | undefined => TEXTS[at] ?? described

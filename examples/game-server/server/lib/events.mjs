const RETRY_MS = 1_000

/**
 * Follows the service's events about this game server: the players of the match, and the request to stop. Each event
 * holds the whole state, so a reconnect needs only the last version.
 */
export async function followEvents({ base, token }, handlers) {
  if (base === undefined) return
  for (let version; ; await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())) {
    try {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(version === undefined ? {} : { 'last-event-id': version }),
      }
      const response = await fetch(`${base}/events`, { headers })
      // The token expired with its launch attempt, or the server has no events.
      if (response.status === 401 || response.body === null) return
      for await (const { event, id, data } of messagesOf(response.body)) {
        version = id ?? version
        handlers[event]?.(JSON.parse(data))
      }
    } catch (error) {
      console.error(`events: ${error.cause?.message ?? error.message}`)
    }
  }
}

/** Yields the messages of a stream of Server-Sent Events. Comments only keep the stream open. */
async function* messagesOf(body) {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop()
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: ?(.*)/s, 2)))
      if (fields.data !== undefined) yield fields
    }
  }
}

const RETRY_MS = 1_000

/**
 * Follows the service's events about this game server: who plays now, and when it is to stop. The service tells what is, so that
 * coming back with the version that was heard last is all there is to resuming.
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
      // The token has died with its attempt, or there is nothing to be told.
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

/** The messages of a stream of Server-Sent Events; comments keep it alive and say nothing. */
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

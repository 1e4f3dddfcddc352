import type { LobbySnapshot } from '@matchyard/client'
import { isMatchyardError } from '@matchyard/client'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { lastOf, MOST_LOBBY_VERSIONS } from '../../data/bounded'
import { useProject } from '../../data/hooks'
import { part } from '../../data/wire'

/** History of a lobby: all versions that the service still has. */
export type History =
  | { readonly is: 'loading' }
  | { readonly is: 'failed'; readonly error: unknown }
  | {
      readonly is: 'ready'
      /** Versions, oldest first; the last one is the present state of the lobby. */
      readonly versions: readonly LobbySnapshot[]
      /** Whether the lobby has been deleted. */
      readonly isDeleted: boolean
    }

const AGAIN_MS = 1_500

/**
 * Follows the lobby's own event stream from the oldest version that the service has. Unlike the project's feed, this
 * stream skips no version.
 */
export function useHistory(id: string): {
  readonly now: ReadonlySignal<History>
  readonly heardAt: ReadonlySignal<number | undefined>
} {
  const { wire } = useProject()
  const now = useSignal<History>({ is: 'loading' })
  const heardAt = useSignal<number | undefined>(undefined)
  useEffect(() => {
    const over = new AbortController()
    let versions: LobbySnapshot[] = []
    let isDeleted = false
    let timer = 0
    let frame = 0
    const show = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        now.value = { is: 'ready', versions: [...versions], isDeleted }
      })
    }
    const follow = async () => {
      const last = versions.at(-1)?.version
      try {
        if (last === undefined) versions = [await wire.get<LobbySnapshot>(`/v1/lobbies/${part(id)}`)]
        const first = versions[0]
        if (last === undefined && first !== undefined) {
          show()
          heardAt.value = Date.now()
        }
        await wire.stream(`/v1/lobbies/${part(id)}/events${last === undefined ? '?from=oldest' : ''}`, {
          headers: { 'x-player-id': 'console', ...(last !== undefined && { 'last-event-id': String(last) }) },
          signal: over.signal,
          heard: () => {
            heardAt.value = Date.now()
          },
          event: ({ name, data }) => {
            const lobby = JSON.parse(data) as LobbySnapshot
            isDeleted = name === 'lobby_deleted'
            const others = versions.filter(({ version }) => version !== lobby.version)
            versions = lastOf(
              [...others, lobby].sort((a, b) => a.version - b.version),
              [],
              MOST_LOBBY_VERSIONS,
            )
            show()
          },
        })
      } catch (error) {
        if (over.signal.aborted) return
        const isGone = isMatchyardError(error, 'LOBBY_NOT_FOUND')
        if (versions.length === 0) now.value = { is: 'failed', error }
        if (isGone && versions.length > 0) {
          isDeleted = true
          show()
        }
        if (isGone) return
      }
      if (!over.signal.aborted && !isDeleted) timer = window.setTimeout(follow, AGAIN_MS)
    }
    void follow()
    return () => {
      over.abort()
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [wire, id, now, heardAt])
  return { now, heardAt }
}

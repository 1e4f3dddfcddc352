import './search.css'
import type { Machine } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useLive, useProject, useRead } from '../data/hooks'
import { Icon, sentenceOf, Text } from '../ui'
import { Dialog } from '../ui/dialog'
import { kindOfId } from './search-ids'
import { type Found, knownFor, lobbyWithCode, objectWithId, playerWithId } from './search-sources'

/** Milliseconds without typing until the service is asked. */
const QUIET_MS = 200
/** Maximum number of characters of the searched text; ids of players have at most 128. */
const LONGEST = 128

interface Asked {
  readonly text: string
  readonly found: readonly Found[]
  readonly isOver: boolean
  readonly error?: unknown
}

const NOTHING: Asked = { text: '', found: [], isOver: true }

/**
 * Search over players, matches, lobbies, servers, invite codes, queues, builds, machines and pages. Names are found in
 * the lists of the page, and ids, codes and players with at most one call each. A complete id opens its page at once.
 */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const project = useProject()
  const [queues, builds] = [useLive('queue'), useLive('build')]
  void [queues.things.revision.value, builds.things.revision.value]
  const machines = useMachineNames()
  const text = useSignal('')
  const asked = useSignal<Asked>(NOTHING)
  const chosen = useSignal(0)
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const words = text.value.trim()

  const open = (found: Found) => {
    onClose()
    location.hash = found.href
  }
  useEffect(() => {
    // The dialog focuses its first button when it opens, so the field is focused after that.
    const frame = requestAnimationFrame(() => input.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [])
  useEffect(() => {
    chosen.value = 0
    asked.value = { ...NOTHING, text: words, isOver: words === '' }
    if (words === '') return
    let over = false
    const ask = async () => {
      const next = await answerFor(words, project)
      if (over) return
      asked.value = next
      const [only] = next.found
      if (kindOfId(words) !== undefined && only !== undefined) open(only)
    }
    const timer = setTimeout(() => void ask(), kindOfId(words) === undefined ? QUIET_MS : 0)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [words, project])

  const known = words === '' ? [] : knownFor(words, project, machines)
  const others = asked.value.text === words ? asked.value.found : []
  const keys = new Set(others.map(({ key }) => key))
  const all = [...known.filter(({ key }) => !keys.has(key)), ...others]
  const at = Math.min(chosen.value, Math.max(0, all.length - 1))
  const key = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const now = all[at]
    if (step !== 0 && all.length > 0) {
      event.preventDefault()
      chosen.value = (at + step + all.length) % all.length
      document.getElementById(`${list}-${chosen.value}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && now !== undefined) {
      event.preventDefault()
      open(now)
    }
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <div class="find">
        <span class="search">
          <Icon name="search" size={14} />
          <input
            ref={input}
            class="control"
            type="text"
            role="combobox"
            aria-label="Search"
            aria-expanded={all.length > 0}
            aria-controls={list}
            aria-autocomplete="list"
            {...(all.length > 0 ? { 'aria-activedescendant': `${list}-${at}` } : {})}
            placeholder="Player, id, invite code or name"
            maxLength={LONGEST}
            spellcheck={false}
            autocomplete="off"
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
            onKeyDown={key}
          />
        </span>
        <div class="find-list" id={list} role="listbox" aria-label="Results">
          {all.map((one, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
            <div
              key={one.key}
              id={`${list}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              onClick={() => open(one)}
            >
              <Icon name={one.icon} />
              <Text>{one.title}</Text>
              <span class="quiet small">
                {one.kind}
                {one.detail !== undefined && `, ${one.detail.slice(0, 60)}`}
              </span>
            </div>
          ))}
        </div>
        <p class="quiet small" role="status">
          {saidOf(words, asked.value, all.length)}
        </p>
      </div>
    </Dialog>
  )
}

function saidOf(words: string, { isOver, error }: Asked, count: number): string {
  if (words === '') return 'A complete id opens its page at once. Names are found by any part.'
  if (error !== undefined) return sentenceOf(error).slice(0, 200)
  if (!isOver) return 'Searching…'
  return count === 0 ? 'Nothing found.' : 'Arrow keys choose a result, and Enter opens it.'
}

/** Asks the service for the text: one call for an id, or one call each for a player and an invite code. */
async function answerFor(words: string, project: ReturnType<typeof useProject>): Promise<Asked> {
  try {
    if (kindOfId(words) !== undefined) {
      const one = await objectWithId(words, project)
      return { text: words, found: one === undefined ? [] : [one], isOver: true }
    }
    const [player, lobbies] = await Promise.all([playerWithId(words, project), lobbyWithCode(words, project)])
    return { text: words, found: [...lobbies, player], isOver: true }
  } catch (error) {
    return { text: words, found: [], isOver: true, error }
  }
}

/** Reads the machines once, for accounts of operators; others get none. */
function useMachineNames(): readonly Machine[] {
  const { account, session } = useProject()
  const isOperator = session.account.operator === true
  const read = useRead(async () => (isOperator ? account.machines.list() : []), [account, isOperator])
  return read.now.value.is === 'ready' ? read.now.value.data : []
}

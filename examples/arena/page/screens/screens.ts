import type { Lobby, MatchProposal } from '@matchyard/client'
import type { Result } from '../../game/protocol'
import { HUES } from '../../game/rules'
import { dot, el, show } from '../dom'

const keys = () =>
  el(
    'p',
    { class: 'keys' },
    el('span', {}, el('kbd', {}, 'WASD'), ' or ', el('kbd', {}, '↑←↓→'), ' roll'),
    el('span', {}, el('kbd', {}, 'Space'), ' dash'),
  )

const logo = () => el('h1', { class: 'logo' }, el('i'), 'Shardfall')

interface Home {
  readonly name: string
  /** Invite code of a friend's lobby, from the page's address. */
  readonly invited: string | undefined
  readonly rename: (name: string) => void
  readonly play: () => void
  readonly gather: () => void
  readonly join: (code: string) => void
}

export function homeScreen({ name, invited, rename, play, gather, join }: Home): void {
  const input = el('input', { id: 'name', value: name })
  input.maxLength = 16
  input.autocomplete = 'off'
  input.spellcheck = false
  const then = (go: () => void) => () => {
    rename(input.value.trim())
    go()
  }
  const first = invited === undefined ? then(play) : then(() => join(invited))
  input.addEventListener('keydown', (event) => event.key === 'Enter' && first())
  const buttons =
    invited === undefined
      ? [
          el('button', { class: 'main', id: 'play', onclick: first }, 'Play now'),
          el('button', { id: 'gather', onclick: then(gather) }, 'Play with friends'),
        ]
      : [
          el('button', { class: 'main', id: 'join', onclick: first }, 'Join your friend'),
          el('button', { class: 'quiet', id: 'play', onclick: then(play) }, 'Play with anybody instead'),
        ]
  show(
    'home',
    el(
      'section',
      { class: 'panel' },
      logo(),
      el('p', { class: 'pitch' }, 'One minute. Catch the shards. Dash into the others, and catch theirs.'),
      el('label', {}, 'Your name'),
      input,
      ...buttons,
      keys(),
    ),
  )
}

interface InLobby {
  readonly lobby: Lobby
  readonly seats: number
  readonly link: string
  /** Start of the search, in milliseconds; undefined while the lobby does not search. */
  readonly searchingSince: number | undefined
  readonly search: () => void
  readonly cancel: () => void
  readonly leave: () => void
}

export const nameOf = (player: { readonly player_id: string; readonly state: object } | undefined): string =>
  String((player?.state as { name?: string } | undefined)?.name ?? player?.player_id ?? '')

export function lobbyScreen({ lobby, seats, link, searchingSince, search, cancel, leave }: InLobby): void {
  const { players } = lobby.current
  const rows = players.map((player, index) => {
    const notes = [player.player_id === lobby.me ? 'you' : '', player.is_host ? 'host' : ''].filter(
      (note) => note !== '',
    )
    const note = el('small', {}, notes.join(' · '))
    return el('li', {}, dot(HUES[index % HUES.length] ?? 0), el('span', {}, nameOf(player)), note)
  })
  const open = Array.from(
    { length: Math.max(0, Math.min(seats, players.length < 4 ? 4 : seats) - players.length) },
    () => el('li', { class: 'open' }, el('i', { class: 'dot' }), 'open'),
  )
  const isSearching = searchingSince !== undefined
  show(
    'lobby',
    el(
      'section',
      { class: 'panel' },
      el('h2', {}, isSearching ? 'Looking for a match' : 'Your lobby'),
      el('p', { class: 'note' }, noteOf(lobby, isSearching)),
      shareOf(link),
      el('ul', { class: 'players' }, ...rows, ...open),
      ...(isSearching
        ? [
            searchingLine(searchingSince),
            ...(lobby.isHost ? [el('button', { id: 'cancel', onclick: cancel }, 'Cancel')] : []),
          ]
        : [
            ...(lobby.isHost ? [el('button', { class: 'main', id: 'start', onclick: search }, 'Start')] : []),
            el('button', { class: 'quiet', id: 'leave', onclick: leave }, 'Leave'),
          ]),
    ),
  )
}

function noteOf(lobby: Lobby, isSearching: boolean): string {
  const { players } = lobby.current
  if (isSearching)
    return players.length > 1
      ? 'Anybody who searches now may join in.'
      : 'Open this page in a second window, and play against yourself.'
  if (!lobby.isHost) return `Waiting for ${nameOf(players.find(({ is_host }) => is_host))} to start.`
  return players.length > 1
    ? 'Start when everybody is here. Strangers may fill the open seats.'
    : 'Send the link to your friends, or open it in a second window.'
}

function shareOf(link: string): HTMLElement {
  const field = el('input', { id: 'link', value: link })
  field.readOnly = true
  field.onfocus = () => field.select()
  const button = el('button', { id: 'copy', onclick: () => void copy() }, 'Copy')
  const copy = async () => {
    field.select()
    await navigator.clipboard?.writeText(link).catch(() => document.execCommand('copy'))
    button.textContent = 'Copied'
    setTimeout(() => button.replaceChildren('Copy'), 1_600)
  }
  return el('div', { class: 'link' }, field, button)
}

function searchingLine(since: number): HTMLElement {
  const time = el('time')
  const tick = () => {
    const seconds = Math.floor((Date.now() - since) / 1_000)
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    if (time.isConnected) setTimeout(tick, 250)
  }
  queueMicrotask(tick)
  return el('div', { class: 'searching' }, el('i', { class: 'spinner' }), 'Searching…', time)
}

const AROUND = 2 * Math.PI * 58

/** Shows the ready check. Returns a function that shows the number of players who have accepted. */
export function readyScreen(
  proposal: MatchProposal,
  answer: { readonly accept: () => void; readonly decline: () => void },
): (accepted: number, needed: number) => void {
  const endsAt = Date.parse(proposal.expires_at)
  const wholeMs = Math.max(1, endsAt - Date.now())
  const number = el('b')
  const box = el('div', { class: 'ring' })
  box.innerHTML = '<svg viewBox="0 0 132 132"><circle cx="66" cy="66" r="58"/><circle cx="66" cy="66" r="58"/></svg>'
  box.append(number)
  const circle = box.querySelectorAll('circle')[1]
  circle?.setAttribute('stroke-dasharray', String(AROUND))
  const note = el('p', { class: 'note' })
  const told = (accepted: number, needed: number) => {
    note.textContent = `${accepted} of ${needed} are ready.`
  }
  told(proposal.accepted, proposal.needed)
  const accept = el(
    'button',
    {
      class: 'main',
      id: 'accept',
      onclick: () => {
        accept.disabled = true
        accept.textContent = 'Waiting for the others…'
        decline.hidden = true
        answer.accept()
      },
    },
    'I am ready',
  )
  const decline = el('button', { class: 'quiet', id: 'decline', onclick: answer.decline }, 'Not now')
  show('ready', el('section', { class: 'panel ready' }, el('h2', {}, 'Match found'), note, box, accept, decline))
  accept.focus({ preventScroll: true })
  const tick = () => {
    const leftMs = Math.max(0, endsAt - Date.now())
    number.textContent = String(Math.ceil(leftMs / 1_000))
    circle?.setAttribute('stroke-dashoffset', String(AROUND * (1 - leftMs / wholeMs)))
    if (box.isConnected) requestAnimationFrame(tick)
  }
  queueMicrotask(tick)
  return told
}

/** Tells the player about the match of another window. */
export function elsewhereScreen(then: { readonly resume: () => void; readonly back: () => void }): void {
  show(
    'elsewhere',
    el(
      'section',
      { class: 'panel' },
      el('h2', {}, 'You are in a match'),
      el('p', { class: 'note' }, 'Another window plays it. One player plays one match at a time.'),
      el('button', { class: 'main', id: 'resume', onclick: then.resume }, 'Continue here'),
      el('button', { class: 'quiet', id: 'back', onclick: then.back }, 'Back to the lobby'),
    ),
  )
}

interface Results {
  readonly results: readonly Result[]
  readonly me: number
  /** Label of the button for another match; undefined while the lobby of the last match is still ending. */
  readonly again: string | undefined
  readonly note: string
  readonly rematch: () => void
  readonly leave: () => void
}

export function resultsScreen({ results, me, again, note, rematch, leave }: Results): void {
  const own = results.find(({ n }) => n === me)
  const winners = results.filter(({ place }) => place === 1)
  const most = Math.max(1, ...results.map(({ score }) => score))
  const title =
    own?.place === 1 ? (winners.length > 1 ? 'A draw!' : 'You win!') : `${winners[0]?.name ?? 'Nobody'} wins`
  const rows = results.map(({ n, name, hue, score, place }, index) =>
    el(
      'li',
      {
        class: n === me ? 'me' : '',
        style: `--hue:${hue};--share:${Math.round((score / most) * 100)}%;--place:${index}`,
      },
      el('em', {}, String(place)),
      dot(hue),
      name,
      el('b', {}, String(score)),
    ),
  )
  const button = el('button', { class: 'main', id: 'rematch', onclick: rematch }, again ?? 'One moment…')
  button.disabled = again === undefined
  show(
    'results',
    el(
      'section',
      { class: 'panel results' },
      el('h2', {}, title),
      el('p', { class: 'note', id: 'note' }, note),
      el('ol', {}, ...rows),
      button,
      el('button', { class: 'quiet', id: 'leave', onclick: leave }, 'Leave'),
    ),
  )
}

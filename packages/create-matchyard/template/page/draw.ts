import type { Standing } from '../game/messages'
import { TO_WIN } from '../game/round'

const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T

/** Elements of the page. */
export const field = {
  players: byId('players'),
  star: byId<HTMLButtonElement>('star'),
  word: byId('word'),
  line: byId('line'),
  play: byId<HTMLButtonElement>('play'),
}

/** Shows a line of text in the middle of the field, while no star is shown. */
export function say(line: string): void {
  field.star.hidden = true
  field.word.hidden = false
  field.line.textContent = line
}

let shown = 0

/** Draws the state of the round. */
export function draw({ players, star, winner }: Standing, me: string): void {
  field.players.replaceChildren(
    ...players.map(({ id, name, points }) => {
      const row = document.createElement('span')
      row.className = id === me ? 'me' : ''
      const stars = document.createElement('span')
      stars.className = 'points'
      stars.textContent = '★'.repeat(points) + '☆'.repeat(TO_WIN - points)
      row.append(id === me ? `${name} (you)` : name, stars)
      return row
    }),
  )
  if (star === null) {
    if (winner === null) say('Waiting for the other …')
    return
  }
  field.word.hidden = true
  field.star.hidden = false
  field.star.style.left = `${star.x}%`
  field.star.style.top = `${star.y}%`
  if (star.n === shown) return
  shown = star.n
  // The class is removed and added again to restart the animation.
  field.star.classList.remove('new')
  void field.star.offsetWidth
  field.star.classList.add('new')
}

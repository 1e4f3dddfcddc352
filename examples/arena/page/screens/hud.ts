import type { Snapshot } from '../../game/protocol'
import { DASH_AGAIN_TICKS, RUSH_SHARE } from '../../game/rules'
import { byId, dot, el, icon } from '../dom'
import type { LiveScene } from '../play/live-scene'
import type { Sounds } from '../play/sound'

const BOARD_EVERY_MS = 150

/** Display over the arena during a match: time, scores, messages. */
export class Hud {
  private readonly timer = el('div', { class: 'timer' })
  private readonly board = el('ol', { class: 'board' })
  private readonly dash = el('div', { class: 'dash' }, 'dash', el('i'))
  private readonly big = el('div', { class: 'big' })
  private readonly root = byId('hud')
  private said = ''
  private boardAt = 0
  private boardSays = ''
  private again = -1

  constructor(
    private readonly scene: LiveScene,
    private readonly sounds: Sounds,
    private readonly seconds: () => number,
    leave: () => void,
  ) {
    const mute: HTMLElement = el('button', { title: 'Sound', onclick: () => this.mute(mute) }, this.speaker())
    const leaving = el('button', { title: 'Leave', id: 'leave', onclick: leave }, icon('leave'))
    const bar = el('div', { class: 'bar' }, this.timer, this.board, el('div', { class: 'corner' }, mute, leaving))
    this.root.replaceChildren(bar, this.dash, this.big)
    this.root.hidden = false
  }

  close(): void {
    this.root.hidden = true
    this.root.replaceChildren()
  }

  /** Updates the display for each picture. Unchanged elements are not touched. */
  update(now: number): void {
    const { latest } = this.scene
    if (latest === undefined) {
      this.words('Connecting…')
      return
    }
    this.clock(latest)
    const again = latest.balls.find(([n]) => n === this.scene.me)?.[7] ?? 0
    if (again !== this.again) {
      this.again = again
      this.dash.style.setProperty('--charge', String(1 - again / DASH_AGAIN_TICKS))
      this.dash.classList.toggle('full', again === 0)
    }
    if (now - this.boardAt < BOARD_EVERY_MS) return
    this.boardAt = now
    this.showBoard(latest)
  }

  private clock({ phase, leftMs }: Snapshot): void {
    const left = Math.ceil(leftMs / 1_000)
    if (phase === 'waiting') this.words('Waiting for the others…')
    else if (phase === 'countdown') this.count(String(left), left)
    else if (phase === 'playing' && leftMs > (this.seconds() - 1) * 1_000) this.count('Go!', 0)
    else if (phase === 'playing' && left <= 3) this.count(String(left), left)
    else if (phase === 'over') this.words('Time!')
    else this.words('')
    const isRush = phase === 'playing' && leftMs <= this.seconds() * 1_000 * RUSH_SHARE
    const text = phase === 'playing' ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` : '–:––'
    if (this.timer.textContent !== text) this.timer.textContent = text
    this.timer.classList.toggle('rush', isRush)
  }

  private count(text: string, left: number): void {
    if (this.said === text) return
    this.said = text
    this.big.className = 'big'
    this.big.replaceChildren(el('span', {}, text))
    this.sounds.play(left === 0 ? 'start' : 'count')
  }

  private words(text: string): void {
    if (this.said === text) return
    this.said = text
    this.big.className = 'big words'
    this.big.replaceChildren(...(text === '' ? [] : [el('span', {}, text)]))
  }

  private showBoard({ balls }: Snapshot): void {
    const scores = new Map(balls.map((row) => [row[0], row[5]]))
    const all = [...this.scene.contestants].sort((a, b) => (scores.get(b.n) ?? 0) - (scores.get(a.n) ?? 0) || a.n - b.n)
    const says = JSON.stringify(all.map((one) => [one, scores.get(one.n)]))
    if (says === this.boardSays) return
    this.boardSays = says
    const rows = all.map(({ n, name, hue, here }) => {
      const what = `${n === this.scene.me ? 'me' : ''} ${here ? '' : 'away'}`.trim()
      return el(
        'li',
        { class: what, style: `--hue:${hue}` },
        dot(hue),
        el('span', {}, name),
        el('b', {}, String(scores.get(n) ?? 0)),
      )
    })
    this.board.replaceChildren(...rows)
  }

  private mute(button: HTMLElement): void {
    this.sounds.mute(!this.sounds.isMuted)
    button.replaceChildren(this.speaker())
    // Without the focus, the space key dashes and does not press this button.
    button.blur()
  }

  private speaker(): Element {
    return icon(this.sounds.isMuted ? 'mute' : 'loud')
  }
}

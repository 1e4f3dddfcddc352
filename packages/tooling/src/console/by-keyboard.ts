import type { Page } from 'playwright-core'

/** More stops than any view has before what is looked for. */
const MOST_STOPS = 120

interface Stop {
  readonly name: string
  readonly role: string
  readonly isSeen: boolean
}

/** Returns the focused element: its accessible name, and whether its focus is visible. */
const STOP = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return { name: '', role: 'body', isSeen: true }
  const labels = [...(at.labels ?? [])].map((label) => label.textContent).join(' ')
  const name = at.getAttribute('aria-label') ?? (labels || at.textContent || '')
  const isMarked = (style) => (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none'
  const isSeen = isMarked(getComputedStyle(at)) || isMarked(getComputedStyle(at, '::after'))
  return { name: name.trim().replace(/\\s+/g, ' '), role: at.getAttribute('role') ?? at.tagName.toLowerCase(), isSeen }
})()`

/** Hands that have a keyboard and nothing else. */
export class Keyboard {
  /** Stops where nobody can see that they are there. */
  readonly unseen: string[] = []

  constructor(private readonly page: Page) {}

  /** Goes on by the tab key until it is at what has this name. */
  async to(name: string | RegExp): Promise<void> {
    const seen: string[] = []
    for (let count = 0; count < MOST_STOPS; count++) {
      await this.page.keyboard.press('Tab')
      const stop = (await this.page.evaluate(STOP)) as Stop
      if (!stop.isSeen) this.unseen.push(`${stop.role} ${stop.name}`)
      if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return
      seen.push(`${stop.role} ${stop.name.slice(0, 40)}`)
    }
    throw new Error(`the tab key leads to no ${name}; it leads to: ${[...new Set(seen)].join(' | ')}`)
  }

  /** Goes there and presses it. */
  async press(name: string | RegExp): Promise<void> {
    await this.to(name)
    await this.page.keyboard.press('Enter')
  }

  /** Goes there and writes over what is there. */
  async write(name: string | RegExp, text: string): Promise<void> {
    await this.to(name)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.type(text)
  }
}

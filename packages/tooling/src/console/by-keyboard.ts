import type { Page } from 'playwright-core'

/** Most tab stops in one view; with more, the search for an element fails. */
const MOST_STOPS = 120

interface Stop {
  readonly name: string
  readonly role: string
  readonly isSeen: boolean
}

/** Script for the page: returns the focused element's accessible name, its role, and whether its focus is visible. */
const STOP = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return { name: '', role: 'body', isSeen: true }
  const labels = [...(at.labels ?? [])].map((label) => label.textContent).join(' ')
  const name = at.getAttribute('aria-label') ?? (labels || at.textContent || '')
  const isMarked = (style) => (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none'
  const isSeen = isMarked(getComputedStyle(at)) || isMarked(getComputedStyle(at, '::after'))
  return { name: name.trim().replace(/\\s+/g, ' '), role: at.getAttribute('role') ?? at.tagName.toLowerCase(), isSeen }
})()`

/** Imitates a user who has a keyboard and no pointer. */
export class Keyboard {
  /** Elements that had the focus while the page did not show the focus. */
  readonly unseen: string[] = []

  constructor(private readonly page: Page) {}

  /** Presses Tab until the element with this name has the focus. Throws after 120 stops. */
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

  /** Moves to the element and presses Enter. */
  async press(name: string | RegExp): Promise<void> {
    await this.to(name)
    await this.page.keyboard.press('Enter')
  }

  /** Moves to the field and replaces its text. */
  async write(name: string | RegExp, text: string): Promise<void> {
    await this.to(name)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.type(text)
  }
}

type Child = Node | string | undefined

interface Attributes {
  readonly class?: string
  readonly id?: string
  readonly type?: string
  readonly value?: string
  readonly title?: string
  readonly style?: string
  readonly onclick?: () => unknown
}

/** Returns an element with its children. Strings become text, so a player's name can never become markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { style, ...attributes }: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') element.className = String(value)
    else Object.assign(element, { [name]: value })
  }
  if (style !== undefined) element.setAttribute('style', style)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

export type ScreenName = 'home' | 'lobby' | 'ready' | 'elsewhere' | 'play' | 'results'

/** Shows a screen in place of the current one. */
export function show(name: ScreenName, ...content: readonly Child[]): void {
  document.body.dataset.screen = name
  byId('screen').replaceChildren(...content.filter((child) => child !== undefined))
}

/** Shows a short message for a few seconds. */
export function toast(text: string): void {
  const line = el('div', { class: 'toast' }, text)
  byId('toasts').append(line)
  setTimeout(() => line.remove(), 4_200)
}

export const dot = (hue: number): HTMLElement => el('i', { class: 'dot', style: `--hue:${hue}` })

const ICONS = {
  loud: 'M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12',
  mute: 'M4 9v6h4l5 4V5L8 9zM17 9.5l5 5M22 9.5l-5 5',
  leave: 'M6 6l12 12M18 6L6 18',
} as const

/** Returns a drawn icon, because some systems lack these characters. */
export function icon(name: keyof typeof ICONS): Element {
  const box = document.createElement('template')
  box.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`
  return box.content.firstElementChild ?? box
}

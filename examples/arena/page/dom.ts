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

/** An element with what is in it. Text is text: nothing that a player is called can be markup. */
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

export type ScreenName = 'home' | 'lobby' | 'ready' | 'play' | 'results'

/** Shows one screen in the place of the one before. */
export function show(name: ScreenName, ...content: readonly Child[]): void {
  document.body.dataset.screen = name
  byId('screen').replaceChildren(...content.filter((child) => child !== undefined))
}

/** A line of news for a few seconds. */
export function toast(text: string): void {
  const line = el('div', { class: 'toast' }, text)
  byId('toasts').append(line)
  setTimeout(() => line.remove(), 4_200)
}

export const dot = (hue: number): HTMLElement => el('i', { class: 'dot', style: `--hue:${hue}` })

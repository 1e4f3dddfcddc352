import '../ui/tokens.css'
import './docs.css'
import { type Found, search } from './search'

/** Milliseconds after a key press until the search runs. */
const PAUSE_MS = 80
/** Maximum number of results that are shown. */
const MOST_RESULTS = 12

const { root = './', sections = '' } = document.body.dataset
const field = document.querySelector<HTMLInputElement>('input[type=search]')
const pages = document.querySelector<HTMLDetailsElement>('nav details')
// On a narrow screen the list of pages is above the text, so it begins closed.
if (pages !== null && matchMedia('(max-width: 900px)').matches) pages.open = false
document.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
if (field !== null) listen(field)

/** Shows results below the search field while its text changes. */
function listen(input: HTMLInputElement): void {
  const list = document.createElement('div')
  list.id = 'results'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Results')
  list.hidden = true
  input.after(list)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
  }))
    input.setAttribute(name, value)
  let chosen = -1
  let timer: ReturnType<typeof setTimeout> | undefined

  const choose = (next: number) => {
    const options = [...list.children]
    options[chosen]?.setAttribute('aria-selected', 'false')
    chosen = options.length === 0 ? -1 : (next + options.length) % options.length
    const option = options[chosen]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', option.id)
  }
  const show = (found: readonly Found[]) => {
    const isOpen = input.value.trim() !== ''
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    list.replaceChildren(...found.slice(0, MOST_RESULTS).map(optionOf))
    if (isOpen && found.length === 0) list.replaceChildren(nothing())
    choose(0)
  }
  const run = async () => {
    const asked = input.value
    const found = await search(sections, asked).catch(() => undefined)
    if (input.value !== asked) return
    if (found === undefined) list.replaceChildren(nothing('The search could not be loaded. Reload the page.'))
    else show(found)
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(run, PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') choose(chosen + (event.key === 'ArrowDown' ? 1 : -1))
    else if (event.key === 'Enter') list.querySelectorAll('a')[chosen]?.click()
    else if (event.key === 'Escape') {
      input.value = ''
      show([])
    } else return
    event.preventDefault()
  })
  list.addEventListener('click', () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
  })
  document.addEventListener('keydown', (event) => {
    const isSearch = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isSearch || document.activeElement === input) return
    event.preventDefault()
    input.focus()
  })
}

function optionOf({ path, anchor, page, heading, excerpt }: Found, place: number): HTMLAnchorElement {
  const option = document.createElement('a')
  option.id = `result-${place}`
  option.href = `${root}${path}${anchor === '' ? '' : `#${anchor}`}`
  option.tabIndex = -1
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  option.append(part('strong', heading), part('span', page === heading ? '' : page), part('p', excerpt))
  return option
}

function nothing(text = 'No page contains these words.'): HTMLElement {
  const option = part('p', text)
  option.className = 'nothing'
  option.setAttribute('role', 'option')
  option.setAttribute('aria-disabled', 'true')
  return option
}

function part(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

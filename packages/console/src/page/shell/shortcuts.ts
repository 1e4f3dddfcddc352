/** Listens for `/`, which focuses the search field of the view. */
export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const search = document.querySelector<HTMLInputElement>('[data-search]')
    if (search === null) return
    event.preventDefault()
    search.focus()
    search.select()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null

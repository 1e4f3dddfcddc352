import type { ComponentType } from 'preact'
import type { Room, RoomView } from '../rooms'

/** Key in `sessionStorage` of the page's script for which the page reloaded last. */
const RELOADED_FOR = 'matchyard.reloaded-for'

/**
 * Loads the view of a section. After an update of the service the files of this page no longer exist, so the page
 * reloads, once for each version of the page.
 */
export async function loadRoom(room: Room): Promise<ComponentType<RoomView>> {
  try {
    return await room.load()
  } catch (cause) {
    const script = pageScript()
    if (script === '' || reloadedFor() === script || !(await isReplaced(script))) throw cause
    remember(script)
    location.reload()
    // The reload replaces the page, so the view keeps its placeholder until then.
    return new Promise(() => {})
  }
}

/** Returns the name of the script of this page; it changes with each version. */
function pageScript(): string {
  const src = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
  return src.slice(src.lastIndexOf('/') + 1)
}

/** Whether the service now has a page with another script. */
async function isReplaced(script: string): Promise<boolean> {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' })
    return answer.ok && !(await answer.text()).includes(script)
  } catch {
    return false
  }
}

function reloadedFor(): string | null {
  try {
    return sessionStorage.getItem(RELOADED_FOR)
  } catch {
    // Without the storage the page could reload again and again, so it never reloads by itself.
    return pageScript()
  }
}

function remember(script: string): void {
  try {
    sessionStorage.setItem(RELOADED_FOR, script)
  } catch {}
}

/** Milliseconds after the first view until the other sections are loaded. */
const QUIET_MS = 4_000

/**
 * Loads the sections one after the other while the browser is idle, so that they open at once later. A user who asked
 * the browser to save data loads each section when it is entered. Returns a function that stops the loading.
 */
export function loadWhenIdle(rooms: readonly Room[]): () => void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  let over = connection?.saveData === true
  const next = async (place: number) => {
    const room = rooms[place]
    if (over || room === undefined) return
    // A section that fails here is loaded again when it is entered.
    await room.load().catch(() => {})
    whenIdle(() => void next(place + 1))
  }
  const timer = setTimeout(() => whenIdle(() => void next(0)), QUIET_MS)
  return () => {
    over = true
    clearTimeout(timer)
  }
}

const whenIdle = (call: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(call)
  else setTimeout(call, 200)
}

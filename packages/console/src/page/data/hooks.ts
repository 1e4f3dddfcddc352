import { isMatchyardError } from '@matchyard/client'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { Kind } from './feed'
import { type OpenProject, opened } from './project'
import type { Live, Things } from './store'

/** Returns the open project. Throws when no project is open, because views are shown only while a project is open. */
export function useProject(): OpenProject {
  const { value } = opened
  if (value === undefined) throw new Error('no project is open')
  return value
}

/** Whether the account may see and change the machines of the installation. */
export const useIsOperator = (): boolean => useProject().session.account.operator === true

/** Returns the entities of a kind, kept up to date while the view is shown. */
export function useLive<K extends Kind>(kind: K): Live<Things[K]> {
  const { store } = useProject()
  useEffect(() => store.want(kind), [store, kind])
  return store.live(kind)
}

/** Result and state of a call. */
export type Loadable<T> =
  | { readonly is: 'loading' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'ready'; readonly data: T }

export interface Read<T> {
  readonly now: ReadonlySignal<Loadable<T>>
  /** Time of the last answer, in milliseconds since 1970. */
  readonly heardAt: ReadonlySignal<number | undefined>
  /** Repeats the call. The current result stays until the new answer arrives. */
  again(): Promise<void>
}

export interface ReadOptions {
  /** Milliseconds after each answer until the next call; a hidden page skips the call. */
  readonly every?: number
}

/**
 * Makes the call when the view is shown, and when a value in `of` changes. While there is no result, a failed call for
 * which `isPassing` holds is retried after `RETRY_MS`. A result that is already shown stays when a later call fails in
 * this way.
 */
export function useRead<T>(call: () => Promise<T>, of: readonly unknown[], { every }: ReadOptions = {}): Read<T> {
  const now = useSignal<Loadable<T>>({ is: 'loading' })
  const heardAt = useSignal<number | undefined>(undefined)
  const turn = useRef(0)
  const latest = useRef(call)
  latest.current = call
  const again = useCallback(async () => {
    const mine = ++turn.current
    try {
      const data = await latest.current()
      if (turn.current !== mine) return
      now.value = { is: 'ready', data }
      heardAt.value = Date.now()
    } catch (error) {
      if (turn.current !== mine) return
      if (now.value.is !== 'ready' || !isPassing(error)) now.value = { is: 'failed', error }
    }
  }, [now, heardAt])
  useEffect(() => {
    now.value = { is: 'loading' }
    let timer = 0
    let over = false
    const ask = async () => {
      if (document.visibilityState === 'visible' || now.value.is === 'loading') await again()
      if (over) return
      const soon = now.value.is === 'failed' && isPassing(now.value.error) ? RETRY_MS : every
      if (soon !== undefined) timer = window.setTimeout(ask, soon)
    }
    void ask()
    return () => {
      over = true
      turn.current++
      clearTimeout(timer)
    }
    // The caller passes the dependencies of the effect.
  }, of)
  return { now, heardAt, again }
}

/** One entity, and the read of it. */
interface One<T> {
  readonly thing: T | undefined
  readonly read: Read<T>
}

/**
 * Makes the call for one entity when the view is shown, and returns the entity; undefined until it is known. The data
 * from the feed is newer than the answer of the call, so the feed has precedence.
 */
export function useOne<K extends Kind>(kind: K, id: string, call: () => Promise<Things[K]>): One<Things[K]> {
  const { admin } = useProject()
  const { things } = useLive(kind)
  const read = useRead(call, [admin, id])
  void things.revision.value
  const { value } = read.now
  return { thing: things.get(id) ?? (value.is === 'ready' ? value.data : undefined), read }
}

/** Milliseconds before a call without a result is retried. */
export const RETRY_MS = 2_000

/** Whether the error is temporary, so that a retry a little later can succeed. */
export const isPassing = (error: unknown): boolean =>
  isMatchyardError(error, 'UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED')

import { signal } from '@preact/signals'
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import type { Row } from '../data/collection'

export interface Column<T> {
  readonly id: string
  readonly title: string
  /** Width as a track of a CSS grid: `120px`, `minmax(160px, 2fr)`. */
  readonly width: string
  /** Whether the cells are aligned at their end, as for numbers. */
  readonly end?: boolean
  /** Whether the column is shown only on a wide page. */
  readonly wide?: boolean
  readonly cell: (thing: T) => ComponentChildren
}

interface TableProps<T> {
  /** Label of the table for screen readers. */
  readonly label: string
  readonly rows: readonly Row<T>[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (thing: T) => string
  /** Returns the address of a row. The link is in the first cell and covers the whole row. */
  readonly hrefOf?: (thing: T) => string
  /** Height of the table: `fill` uses the available height; `rows` is as high as its rows. */
  readonly height?: 'fill' | 'rows'
}

const ROW = 40

/**
 * Table for any number of rows. Only the rows in sight are rendered, and each row redraws only when its own entity
 * changes.
 */
export function Table<T>({ label, rows, columns, keyOf, hrefOf, height = 'fill' }: TableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const items = useVirtual(scroller, rows.length)
  const tracks = useTracks(columns)
  const shown = tracks.columns
  return (
    <div
      class={`table ${height}`}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      ref={scroller}
      onKeyDown={walk}
    >
      <div class="table-head" role="rowgroup">
        <div class="table-row" role="row" style={tracks.style}>
          {shown.map(({ id, title, end }) => (
            <div key={id} class={end ? 'cell end' : 'cell'} role="columnheader">
              {title}
            </div>
          ))}
        </div>
      </div>
      <div class="table-body" role="rowgroup" style={{ height: `${rows.length * ROW}px` }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <TableRow
              key={keyOf(row.peek())}
              row={row}
              columns={shown}
              index={index}
              top={start}
              tracks={tracks.style}
              hrefOf={hrefOf}
            />
          )
        })}
      </div>
    </div>
  )
}

interface RowProps<T> {
  readonly row: Row<T>
  readonly columns: readonly Column<T>[]
  readonly index: number
  readonly top: number
  readonly tracks: { readonly gridTemplateColumns: string }
  readonly hrefOf: ((thing: T) => string) | undefined
}

function TableRow<T>({ row, columns, index, top, tracks, hrefOf }: RowProps<T>) {
  const thing = row.value
  return (
    <div
      class={hrefOf === undefined ? 'table-row' : 'table-row leads'}
      role="row"
      aria-rowindex={index + 2}
      style={{ ...tracks, transform: `translateY(${top}px)` }}
    >
      {columns.map(({ id, cell, end }, position) => (
        <div key={id} class={end ? 'cell end' : 'cell'} role="cell">
          {position === 0 && hrefOf !== undefined ? (
            <a class="row-link" href={hrefOf(thing)}>
              {cell(thing)}
            </a>
          ) : (
            cell(thing)
          )}
        </div>
      ))}
    </div>
  )
}

/** Returns rows for entities that do not change. */
export const useRows = <T,>(things: readonly T[]): readonly Row<T>[] =>
  useMemo(() => things.map((thing) => signal(thing)), [things])

/** Moves the focus from row to row with the arrow keys up and down. */
function walk(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const table = event.currentTarget as HTMLElement
  const links = [...table.querySelectorAll<HTMLElement>('.row-link')]
  const now = links.indexOf(document.activeElement as HTMLElement)
  const next = links[now + (event.key === 'ArrowDown' ? 1 : -1)]
  if (now < 0 || next === undefined) return
  event.preventDefault()
  next.focus()
}

const NARROW = window.matchMedia('(max-width: 760px)')

function useTracks<T>(columns: readonly Column<T>[]) {
  const [, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const listen = () => again(undefined)
    NARROW.addEventListener('change', listen)
    return () => NARROW.removeEventListener('change', listen)
  }, [])
  const shown = NARROW.matches ? columns.filter(({ wide }) => !wide) : columns
  return { columns: shown, style: { gridTemplateColumns: shown.map(({ width }) => width).join(' ') } }
}

function useVirtual(scroller: { readonly current: HTMLDivElement | null }, count: number) {
  const [, again] = useReducer((turn: number) => turn + 1, 0)
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => again(undefined),
    initialRect: { width: 0, height: 800 },
  }
  const virtual = useMemo(() => new Virtualizer<HTMLDivElement, Element>(options), [])
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => virtual._willUpdate())
  return virtual.getVirtualItems()
}

import type { Column } from './table'
import { Time } from './text'

/** Column with the time of the last change. */
export const CHANGED_COLUMN: Column<{ readonly updated_at: string }> = {
  id: 'changed',
  title: 'Changed',
  width: '112px',
  end: true,
  wide: true,
  cell: ({ updated_at }) => <Time at={updated_at} />,
}

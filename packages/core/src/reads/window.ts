import { DEFAULT_PAGE_LIMIT, MAX_LIST_BYTES } from '../catalog/limits'
import type { ListWindow } from '../shared/page'

/** What one answer of a list asks its storage for: as many as the caller says, and no more bytes than an answer has. */
export const windowOf = ({
  limit = DEFAULT_PAGE_LIMIT,
  offset = 0,
}: {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}): Required<ListWindow> => ({ limit, offset, maxBytes: MAX_LIST_BYTES })

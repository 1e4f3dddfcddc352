import { DEFAULT_PAGE_LIMIT, MAX_LIST_BYTES } from '../catalog/limits'
import type { ListWindow } from '../shared/page'

/** Returns the part of a list that a storage must read for one answer: the caller's limit and offset, and the maximum bytes. */
export const windowOf = ({
  limit = DEFAULT_PAGE_LIMIT,
  offset = 0,
}: {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}): Required<ListWindow> => ({ limit, offset, maxBytes: MAX_LIST_BYTES })

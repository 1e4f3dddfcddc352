import { listAudit } from '../use-cases/audit/list-audit'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** Audit log: the changes that people and server keys made, with their authors. */
export const audit = {
  /**
   * Returns a page of the audit log, newest first: of a project, of an account outside of its projects, or of the installation. A filter
   * examines at most 1,000 entries in one call; then the page ends with a cursor. Entries are kept for 400 days, and network addresses for
   * 30 days. Rejects with `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `ROLE_NOT_ALLOWED`.
   */
  list: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId?', 'accountId?', 'operation?', 'actor?', 'target?', 'cursor?', 'limit?'],
    refusals: ['PROJECT_NOT_FOUND', 'ROLE_NOT_ALLOWED'],
    run: listAudit,
  }),
}

/**
 * Audit log: the changes that people and server keys made, with their authors.
 *
 * @interface
 */
export type Audit = CallsOf<typeof audit>

import type { Migration } from '@matchyard/core/ports'
import { initial } from './0001-initial'
import { jobsByTenant } from './0002-jobs-by-tenant'
import { logsBySizeAndAge } from './0003-logs-by-size-and-age'
import { queueFigures } from './0004-queue-figures'
import { matchStatus } from './0005-match-status'
import { changes } from './0006-changes'
import { lobbyLabels } from './0007-lobby-labels'
import { requests } from './0008-requests'
import { cooldowns } from './0009-cooldowns'
import { waitingServers } from './0010-waiting-servers'
import { webhooks } from './0011-webhooks'
import { arrivals } from './0012-arrivals'
import { listedMatches } from './0013-listed-matches'
import { arrivalsByPlace } from './0015-arrivals-by-place'
import { usageSums } from './0017-usage-sums'
import { keptRecords } from './0018-kept-records'

/** What code from before would write without, or read wrongly: while it runs, the schema is not changed under it unseen. */
const breaking = (sql: string): Migration => ({ sql, bearsOlderCode: false })

/** What code from before passes by: it runs on beside a node that knows it. */
const bearing = (sql: string): Migration => ({ sql, bearsOlderCode: true })

/**
 * Applied in order; the schema's number is how many of them it has seen. A migration is never edited once it has landed; one that is
 * a statement or two stands here, a longer one in a file of its own.
 */
export const MIGRATIONS: readonly Migration[] = [
  breaking(initial),
  breaking(jobsByTenant),
  breaking(logsBySizeAndAge),
  breaking(queueFigures),
  breaking(matchStatus),
  breaking(changes),
  breaking(lobbyLabels),
  bearing(requests),
  bearing(cooldowns),
  breaking(waitingServers),
  // Code from before would commit without the messages.
  breaking(webhooks),
  bearing(arrivals),
  // A match that code from before writes would be in no list.
  breaking(listedMatches),
  // What failed lately is told at once among all the servers that are kept for billing.
  bearing("create index server_failed on server (project_id, stopped_at, id) where status = 'failed';"),
  // Code from before would write the columns that are no more.
  breaking(arrivalsByPlace),
  // Code from before knows no queue that asks for warm servers.
  bearing(`
    alter table queue add column warm bigint not null default 0;
    create index queue_warm on queue (id) where warm = 1;`),
  // A server that code from before ends stays among those that are metered one by one.
  bearing(usageSums),
  bearing(keptRecords),
  // A match that code from before ends is found without its reason.
  bearing(`
    alter table match add column end_reason text;
    create index match_by_end on match (project_id, end_reason, created_at, id, queue_key) where end_reason is not null;`),
  // Code from before compares no secret.
  bearing('create table installation (id text collate "C" primary key, version bigint not null, body text not null);'),
  // Code from before launches a build that is disabled.
  bearing('alter table build add column disabled bigint not null default 0;'),
]

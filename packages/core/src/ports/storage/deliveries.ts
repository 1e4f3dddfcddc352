import type { ListWindow, Page } from '../../shared/page'
import { DAY_MS } from '../../shared/time'
import type { Delivery, DeliveryStatus } from '../../webhook/delivery'
import type { Message } from '../../webhook/message'

/** How long deliveries are kept, in milliseconds from their making; a message as old goes with the last of its own. */
export const DELIVERIES_KEPT_MS = 7 * DAY_MS

export interface DeliveryQuery extends ListWindow {
  readonly webhookId: string
  readonly status?: DeliveryStatus
}

export interface MessageReaders {
  /** That tell of a player, newest first. */
  ofPlayer(projectId: string, playerId: string, limit: number): Promise<Message[]>
}

export interface DeliveryReaders {
  /** Newest first. */
  list(query: DeliveryQuery): Promise<Page<Delivery>>
}

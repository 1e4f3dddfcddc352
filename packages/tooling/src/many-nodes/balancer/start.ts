import type { Balancer } from './balancer'
import { nginxBalancer, nginxIsHere } from './nginx'
import { ownBalancer } from './own'

/** Starts nginx if it is installed, otherwise a small load balancer in this process. */
export function startBalancer(ports: readonly number[]): Promise<Balancer> {
  return nginxIsHere() ? nginxBalancer(ports) : ownBalancer(ports)
}

import { ServiceError } from '../../errors/service-error'

export const emailTaken = (email: string) =>
  new ServiceError('EMAIL_TAKEN', `there is an account for ${email} already; log in, or use another address`)

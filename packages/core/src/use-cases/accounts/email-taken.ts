import { ServiceError } from '../../errors/service-error'

export const emailTaken = (email: string) =>
  new ServiceError('EMAIL_TAKEN', `an account with the address ${email} already exists; log in, or use another address`)

/** The host of a URL as messages may name it: a provider may have put the key there as well. */
import { type Network, Redaction } from "@dotrpc/spec"

export const shownHost = ({ secrets }: Network, { host }: Pick<URL, "host">): string => Redaction.scrub(host, secrets)

/** Advice for a folder that an editor does not trust: no other step makes its keys readable. */
export const trustFirst = "trust this folder to let requests use keys"

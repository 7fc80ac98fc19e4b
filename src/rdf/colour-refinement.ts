/**
 * Colour refinement (the one-dimensional Weisfeiler–Leman algorithm): nodes are coloured anew, by their own colour and
 * those around them, until a round tells no more of them apart. Nodes that an automorphism maps onto each other always
 * keep one colour; others nearly always get different ones.
 * @param start the colours of the nodes
 * @param recolour one round: the colours that follow from those before, in the same order
 * @param spend called before each round; throws where that is one too many
 */
export function refineColours<Colour>(
  start: readonly Colour[],
  recolour: (colours: readonly Colour[]) => readonly Colour[],
  spend?: () => void,
): readonly Colour[] {
  let colours = start;
  for (let before = 0, count = new Set(colours).size; count > before;) {
    spend?.();
    colours = recolour(colours);
    before = count;
    count = new Set(colours).size;
  }
  return colours;
}

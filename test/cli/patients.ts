/** A patient in Turtle with one medication and one allergy; `name` tells two versions apart. */
export function patient(name: string, more = ''): string {
  return `
    @prefix sp: <http://smartplatforms.org/terms#> .
    @prefix v: <http://www.w3.org/2006/vcard/ns#> .
    @prefix foaf: <http://xmlns.com/foaf/0.1/> .
    @prefix dcterms: <http://purl.org/dc/terms/> .
    [] a sp:MedicalRecord ; sp:hasStatement
      [ a sp:Demographics ; v:n [ a v:Name ; v:given-name "Ada" ; v:family-name "${name}" ] ;
        foaf:gender "female" ; v:bday "1970-01-02" ;
        sp:medicalRecordNumber [ a sp:Code ; dcterms:title "A number" ; dcterms:identifier "12" ; sp:system "A system" ]
      ] ${more} .`;
}

/** Something that no class of the ontology allows on demographics: a second birthday. */
export const twoBirthdays = patient('Twice').replace('"1970-01-02"', '"1970-01-02", "1971-01-02"');

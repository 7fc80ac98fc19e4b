import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.parser.StrictErrorHandler;
import ca.uhn.fhir.rest.client.api.IGenericClient;
import ca.uhn.fhir.rest.client.interceptor.BearerTokenAuthInterceptor;
import org.hl7.fhir.instance.model.api.IBaseBundle;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.Observation;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.Patient;

/**
 * HAPI's generic client: reads a patient, searches, pages, and gets everything. The token is in FHIR_TOKEN.
 * It first reads the CapabilityStatement, and refuses what its parser does not know.
 */
public class HapiClient {
  public static void main(String[] args) {
    String url = args[0];
    String id = args[1];
    FhirContext context = FhirContext.forR4();
    context.setParserErrorHandler(new StrictErrorHandler());
    IGenericClient client = context.newRestfulGenericClient(url);
    client.registerInterceptor(new BearerTokenAuthInterceptor(System.getenv("FHIR_TOKEN")));
    Patient patient = client.read().resource(Patient.class).withId(id).execute();
    Bundle found = client.search().forResource(Observation.class)
        .where(Observation.PATIENT.hasId(id)).count(5).returnBundle(Bundle.class).execute();
    int[] searched = pages(client, found);
    Bundle all = client.operation().onInstance("Patient/" + id).named("$everything")
        .withNoParameters(Parameters.class).useHttpGet().returnResourceType(Bundle.class).execute();
    int[] everything = pages(client, all);
    System.out.printf("{\"patient\":\"%s\",\"found\":%d,\"pages\":%d,\"everything\":%d}%n",
        patient.getIdElement().getIdPart(), searched[0], searched[1], everything[0]);
  }

  /** Entries and pages of a bundle and those after it. */
  private static int[] pages(IGenericClient client, Bundle first) {
    int entries = 0;
    int pages = 0;
    Bundle page = first;
    while (true) {
      entries += page.getEntry().size();
      pages++;
      if (page.getLink(IBaseBundle.LINK_NEXT) == null) return new int[] {entries, pages};
      page = client.loadPage().next(page).execute();
    }
  }
}

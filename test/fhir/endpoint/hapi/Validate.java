import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.validation.FhirValidator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.hl7.fhir.common.hapi.validation.support.CachingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r5.utils.validation.constants.BestPracticeWarningLevel;

/**
 * Validates R4 resources, one a line of standard input; for each gives a line: a JSON array of what HAPI finds, each as
 * {"severity", "location", "message"}.
 */
public class Validate {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, StandardCharsets.UTF_8);
    // What libraries say on standard output is no answer.
    System.setOut(System.err);
    FhirContext context = FhirContext.forR4();
    ValidationSupportChain support = new ValidationSupportChain(
        new DefaultProfileValidationSupport(context),
        new CommonCodeSystemsTerminologyService(context),
        new InMemoryTerminologyServerValidationSupport(context));
    FhirInstanceValidator module = new FhirInstanceValidator(new CachingValidationSupport(support));
    module.setAnyExtensionsAllowed(true);
    module.setErrorForUnknownProfiles(false);
    module.setBestPracticeWarningLevel(BestPracticeWarningLevel.Ignore);
    FhirValidator validator = context.newValidator().registerValidatorModule(module);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      StringBuilder found = new StringBuilder("[");
      try {
        validator.validateWithResult(line).getMessages().forEach(each -> {
          found.append(found.length() > 1 ? "," : "");
          found.append("{\"severity\":").append(quoted(each.getSeverity().getCode()));
          found.append(",\"location\":").append(quoted(each.getLocationString()));
          found.append(",\"message\":").append(quoted(each.getMessage())).append('}');
        });
      } catch (Exception failure) {
        found.append(found.length() > 1 ? "," : "");
        found.append("{\"severity\":\"exception\",\"location\":\"\",\"message\":").append(quoted(failure.toString())).append('}');
      }
      out.println(found.append(']'));
    }
    out.flush();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char letter : (text == null ? "" : text).toCharArray()) {
      if (letter == '"' || letter == '\\' || letter < ' ' || letter > '~') quoted.append(String.format("\\u%04x", (int) letter));
      else quoted.append(letter);
    }
    return quoted.append('"').toString();
  }
}

import ca.uhn.fhir.batch2.jobs.config.Batch2JobsConfig;
import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.jpa.api.config.JpaStorageSettings;
import ca.uhn.fhir.jpa.api.config.ThreadPoolFactoryConfig;
import ca.uhn.fhir.jpa.batch2.JpaBatch2Config;
import ca.uhn.fhir.jpa.config.HapiJpaConfig;
import ca.uhn.fhir.jpa.config.r4.JpaR4Config;
import ca.uhn.fhir.jpa.config.util.HapiEntityManagerFactoryUtil;
import ca.uhn.fhir.jpa.model.config.PartitionSettings;
import ca.uhn.fhir.jpa.model.config.SubscriptionSettings;
import ca.uhn.fhir.jpa.model.dialect.HapiFhirH2Dialect;
import ca.uhn.fhir.jpa.provider.IJpaSystemProvider;
import ca.uhn.fhir.jpa.search.DatabaseBackedPagingProvider;
import ca.uhn.fhir.jpa.subscription.channel.config.SubscriptionChannelConfig;
import ca.uhn.fhir.rest.server.RestfulServer;
import ca.uhn.fhir.rest.server.provider.ResourceProviderFactory;
import jakarta.persistence.EntityManagerFactory;
import java.net.InetSocketAddress;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/**
 * HAPI's FHIR server for R4 with all that it stores in memory, on loopback: `java FhirServer PORT` serves `/fhir/`.
 * What stands here is what it asks for; the rest is as it comes.
 */
@Configuration
@Import({
  JpaR4Config.class,
  HapiJpaConfig.class,
  JpaBatch2Config.class,
  Batch2JobsConfig.class,
  SubscriptionChannelConfig.class,
  ThreadPoolFactoryConfig.class
})
public class FhirServer {
  /** More than a list has, so that a page is all of it. */
  private static final int LONGEST_PAGE = 10_000;

  /** More than clients have connections, so that nobody waits for one to the database. */
  private static final int CONNECTIONS = 64;

  public static void main(String[] args) throws Exception {
    var beans = new AnnotationConfigApplicationContext(FhirServer.class);
    var paging = beans.getBean(DatabaseBackedPagingProvider.class);
    paging.setMaximumPageSize(LONGEST_PAGE);
    var fhir = new RestfulServer(beans.getBean(FhirContext.class));
    fhir.registerProviders(beans.getBean(ResourceProviderFactory.class).createProviders());
    fhir.registerProvider(beans.getBean(IJpaSystemProvider.class));
    fhir.setPagingProvider(paging);
    var servlets = new ServletContextHandler();
    servlets.addServlet(new ServletHolder(fhir), "/fhir/*");
    var server = new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])));
    server.setHandler(servlets);
    server.start();
  }

  @Bean
  DataSource dataSource() {
    var source = new BasicDataSource();
    source.setUrl("jdbc:h2:mem:fhir;DB_CLOSE_DELAY=-1");
    source.setMaxTotal(CONNECTIONS);
    source.setMaxIdle(CONNECTIONS);
    return source;
  }

  @Bean
  LocalContainerEntityManagerFactoryBean entityManagerFactory(
      ConfigurableListableBeanFactory beans, FhirContext fhir, JpaStorageSettings storage, DataSource source) {
    var factory = HapiEntityManagerFactoryUtil.newEntityManagerFactory(beans, fhir, storage);
    factory.setPersistenceUnitName("fhir");
    factory.setDataSource(source);
    var properties = new Properties();
    properties.put("hibernate.dialect", HapiFhirH2Dialect.class.getName());
    properties.put("hibernate.hbm2ddl.auto", "update");
    properties.put("hibernate.jdbc.batch_size", "20");
    // No search for words within texts is asked for.
    properties.put("hibernate.search.enabled", "false");
    factory.setJpaProperties(properties);
    return factory;
  }

  @Bean
  JpaTransactionManager transactionManager(EntityManagerFactory factory) {
    return new JpaTransactionManager(factory);
  }

  @Bean
  JpaStorageSettings storageSettings() {
    var settings = new JpaStorageSettings();
    // Both spare look-ups while bundles are stored.
    settings.setMassIngestionMode(true);
    settings.setMatchUrlCacheEnabled(true);
    return settings;
  }

  @Bean
  PartitionSettings partitionSettings() {
    return new PartitionSettings();
  }

  @Bean
  SubscriptionSettings subscriptionSettings() {
    return new SubscriptionSettings();
  }
}
